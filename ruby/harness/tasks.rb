# frozen_string_literal: true

require_relative "scheduler"

# Tasks that are fibers.
class Fibers
  # A fiber has no result of its own to be waited for.
  class Handle
    def initialize(&body)
      @fiber = Fiber.schedule do
        @value = body.call
        @done = true
        Fiber.scheduler.unblock(self, @waiter) if @waiter
      end
    end

    # What the body returned; waits for it.
    def value
      unless @done
        @waiter = Fiber.current
        Fiber.scheduler.block(self)
      end
      @value
    end

    # Ends the fiber where it waits, by an exception that only this knows.
    def kill
      @fiber.raise(Killed)
    end
  end

  # Not a StandardError, so that no rescue of a body takes it for a failure.
  class Killed < Exception # rubocop:disable Lint/InheritException
  end

  # Runs the block as the root, and all that it starts.
  def root
    scheduler = Scheduler.new
    Fiber.set_scheduler(scheduler)
    ended = false
    Fiber.schedule do
      yield
      ended = true
    end
    scheduler.run
    raise "every fiber waits for another" unless ended
  end

  def unit
    "fiber-#{Fiber.current.object_id}"
  end

  def start(&body)
    Handle.new(&body)
  end

  # Starts one of which nobody waits for the end.
  def detach(&body)
    Fiber.schedule(&body)
  end

  # Starts one that `kill` will end.
  def start_killable(&body)
    Handle.new do
      body.call
    rescue Killed
      nil
    end
  end

  def pass
    sleep(0)
  end
end

# Tasks that are threads.
class Threads
  def root
    Thread.abort_on_exception = true
    Thread.report_on_exception = false
    yield
  end

  def unit
    "thread-#{Thread.current.object_id}"
  end

  def start(&body)
    Thread.new(&body)
  end
  alias detach start
  alias start_killable start

  def pass
    Thread.pass
  end
end
