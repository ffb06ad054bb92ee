# frozen_string_literal: true

# What Ruby calls when a fiber would block. The language has this interface, and leaves what is behind it to libraries:
# this one is a queue of ready fibers, a list of timers and IO.select. A turn resumes all that were ready when it began.
class Scheduler
  def initialize
    @ready = []
    @timers = [] # pairs of time and fiber, the earliest first
    @readers = {}
    @writers = {}
    @blocked = {}.compare_by_identity
  end

  # Runs until nothing is left that could run.
  def run
    until @ready.empty? && @timers.empty? && @readers.empty? && @writers.empty?
      poll
      @ready.size.times { @ready.shift.resume }
    end
  end
  alias close run

  # A new fiber waits for its turn.
  def fiber(&block)
    Fiber.new(blocking: false, &block).tap { |fiber| @ready << fiber }
  end

  def kernel_sleep(duration = nil)
    if duration&.zero?
      @ready << Fiber.current
    elsif duration
      at(now + duration)
    end
    Fiber.yield
  end

  # A wait with a time limit is not one that the programs have.
  def block(_blocker, timeout = nil)
    raise NotImplementedError, "a limited wait" if timeout

    @blocked[Fiber.current] = true # nothing else refers to a fiber that waits: it would be collected
    Fiber.yield
  ensure
    @blocked.delete(Fiber.current)
  end

  def unblock(_blocker, fiber)
    @ready << fiber
  end

  def io_wait(io, events, _timeout)
    waiting = (events & IO::READABLE).zero? ? @writers : @readers
    waiting[io] = Fiber.current
    Fiber.yield
    events
  end

  private

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def at(time)
    place = @timers.bsearch_index { |(other, _)| other > time } || @timers.size
    @timers.insert(place, [time, Fiber.current])
  end

  # Waits for I/O and timers, not at all where fibers are ready.
  def poll
    select unless @readers.empty? && @writers.empty? && (@timers.empty? || @ready.any?)
    return if @timers.empty?

    time = now
    @ready << @timers.shift.last while @timers.any? && @timers.first.first <= time
  end

  def select
    readable, writable = IO.select(@readers.keys, @writers.keys, nil, limit)
    readable&.each { |io| @ready << @readers.delete(io) }
    writable&.each { |io| @ready << @writers.delete(io) }
  end

  # Seconds that the poll may last; for ever where only I/O is awaited.
  def limit
    return 0 if @ready.any?
    return nil if @timers.empty?

    [@timers.first.first - now, 0].max
  end
end
