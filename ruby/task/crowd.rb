# frozen_string_literal: true

# n parked tasks, numbered from `first` on, are killed, clean up and are joined.
class Crowd
  # Returns when all of them wait.
  def initialize(program, first = 0)
    @program = program
    @gate = Queue.new # never closed
    @parked = @cleaned = 0
    @tasks = Array.new(program[:n]) do |place|
      i = first + place
      program.start_killable(i) { park(i) }
    end
    sleep(0.001) until @parked == @tasks.size
    sleep(0.001) # in which those that only gave way go on
  end

  def cancel
    waited = @tasks.size - @cleaned
    @tasks.each(&:kill)
    finished = @tasks.each(&:value).size
    [finished, { created: waited, cancelled: @cleaned, finished: finished }]
  end

  private

  def park(i)
    @program.trace&.run(i)
    @parked += 1
    @gate.pop
    raise "task #{i} ran past its wait"
  ensure
    @cleaned += 1
    @program.trace&.done(i)
  end
end
