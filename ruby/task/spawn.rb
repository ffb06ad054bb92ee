# frozen_string_literal: true

require_relative "../harness/program"

# Starts n tasks, then collects and sums what they return.
def spawn_all(program)
  tasks = program.numbers.map { |i| program.start(i) { i } }
  created = tasks.size
  finished = checksum = 0
  tasks.each do |task|
    result = task.value
    program.trace&.collect(result)
    checksum += result
    finished += 1
  end
  [finished, { created: created, finished: finished, checksum: checksum }]
end

Program.run("spawn", { n: 1 }) do |program|
  program.repeat { spawn_all(program) }
end
