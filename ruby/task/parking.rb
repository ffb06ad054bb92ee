# frozen_string_literal: true

require_relative "../harness/program"

# Parks n tasks at one gate, a queue that is closed to open it, and holds the process still before, while and after they live.
class Parking
  # The whole program of a memory workload; the block is what task i does: it waits at the gate once, and returns i.
  def self.run(workload, &body)
    Program.run(workload, { n: 1 }) do |program|
      program.once { new(program).measure(&body) }
    end
  end

  def initialize(program)
    @program = program
    @gate = Queue.new
    @parked = 0
  end

  # Parks task i until the gate is opened.
  def wait(i)
    @program.trace&.park(i)
    @parked += 1
    @gate.pop
    @parked -= 1
  end

  def measure(&body)
    hold(:base)
    first = @program.nonce
    tasks = Array.new(@program[:n]) do |place|
      i = first + place
      @program.start(i) { body.call(i, self) }
    end
    created = tasks.size
    sleep(0.001) until @parked == created
    hold_twice(:live)
    @gate.close
    finished, checksum = join(tasks)
    tasks.clear
    hold_twice(:released)
    [finished, { created: created, finished: finished, checksum: checksum }]
  end

  private

  def join(tasks)
    tasks.reduce([0, 0]) { |(finished, sum), task| [finished + 1, sum + task.value] }
  end

  # As it is, and after a forced collection.
  def hold_twice(point)
    hold(point)
    GC.start
    hold("#{point}-collected")
  end

  def hold(point)
    @program.hold(point, @parked)
  end
end
