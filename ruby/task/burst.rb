# frozen_string_literal: true

require_relative "../harness/program"

# Out of a root that has slept n tasks are started at once, and again; each tells when it first ran.
class Bursts
  attr_reader :starts # of each task, in nanoseconds from the beginning of its burst

  def initialize(program)
    @program = program
    @first = program.nonce
    @starts = []
  end

  def measure
    created = finished = checksum = 0
    @program[:bursts].times do |number|
      sleep(@program[:idle_ms] / 1e3)
      tasks = burst(@first + (number * @program[:n]))
      created += tasks.size
      tasks.each do |task|
        checksum += collect(task)
        finished += 1
      end
    end
    last_ns = @starts.each_slice(@program[:n]).sum(&:max)
    [finished, { created: created, finished: finished, checksum: checksum, last_ns: last_ns }]
  end

  private

  def burst(first)
    began = Program.now_ns
    Array.new(@program[:n]) do |place|
      i = first + place
      @program.start(i) do
        @starts[i - @first] = Program.now_ns - began
        i
      end
    end
  end

  def collect(task)
    task.value.tap { |i| @program.trace&.collect(i) }
  end
end

Program.run("burst", { n: 1, bursts: 1, idle_ms: 1 }) do |program|
  bursts = Bursts.new(program)
  program.once { bursts.measure }
  program.series("start", bursts.starts)
end
