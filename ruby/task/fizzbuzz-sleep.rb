# frozen_string_literal: true

require_relative "../harness/program"
require_relative "fizz"

MS = 1_000_000

# n tasks take m steps of fizzbuzz each and sleep after every one; the process is held still when all of them sleep.
class Sleepers
  attr_reader :late

  def initialize(program)
    @program = program
    @alive = 0
    @asleep = 0 # all that ever slept: the first may end before the last is there
    @all_asleep = Queue.new
  end

  def hold(point)
    @alive.tap { |units| @program.hold(point, units) }
  end

  def run
    tasks = Array.new(@program[:n]) { |i| @program.start(i) { body(i) } }
    @all_asleep.pop
    most_alive = hold(:live)
    done = tasks.each_with_index.map { |task, i| task.value.tap { @program.trace&.collect(i) } }
    @late = done.map(&:last)
    steps = done.sum(&:first)
    [steps, { finished: done.size, steps: steps, checksum: done.sum { |_, sum, _| sum }, most_alive: most_alive }]
  end

  private

  # The steps that a task did, what they were worth, and how many nanoseconds late its last sleep ended.
  def body(task)
    done = sum = late = 0
    while done < @program[:m]
      sum += worth(task + done)
      enter(task) if done.zero?
      done += 1
      late = oversleep(@program[:sleep_ms])
    end
    @alive -= 1
    [done, sum, late]
  end

  # A task counts itself as its last act before its first sleep.
  def enter(task)
    @program.trace&.park(task)
    @alive += 1
    @asleep += 1
    @all_asleep << true if @asleep == @program[:n]
  end

  def oversleep(milliseconds)
    due = Program.now_ns + (milliseconds * MS)
    sleep(milliseconds / 1e3)
    [Program.now_ns - due, 0].max
  end
end

Program.run("fizzbuzz-sleep", { n: 1, m: 1, sleep_ms: 1 }) do |program|
  sleepers = Sleepers.new(program)
  sleepers.hold(:base)
  program.once { sleepers.run }
  program.series("lateness", sleepers.late)
end
