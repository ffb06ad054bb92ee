# frozen_string_literal: true

require_relative "../harness/program"
require_relative "fizz"

# The m steps of a task; `pass`, where there is one, yields after each.
def steps(task, m, pass)
  done = sum = 0
  while done < m
    sum += worth(task + done)
    done += 1
    pass&.call
  end
  [done, sum]
end

# One task after the other is awaited once all were started.
def collect(program, pass)
  tasks = Array.new(program[:n]) { |i| program.start(i) { steps(i, program[:m], pass) } }
  tasks.each_with_index.map do |task, i|
    task.value.tap { program.trace&.collect(i) }
  end
end

# n tasks take m steps of fizzbuzz each: as plain calls, without waiting, or with a yield after each.
def run(program)
  done =
    case program[:phase]
    when "base" then Array.new(program[:n]) { |i| steps(i, program[:m], nil) }
    when "spawn" then collect(program, nil)
    else collect(program, program.method(:pass))
    end
  [done.size, { finished: done.size, steps: done.sum(&:first), checksum: done.sum(&:last) }]
end

Program.run("fizzbuzz", { phase: %w[base spawn yield], n: 1, m: 1 }) do |program|
  program.repeat { run(program) }
end
