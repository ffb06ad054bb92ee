# frozen_string_literal: true

require_relative "../harness/program"

# Starts n tasks, then collects and sums what they return.
def spawn_all(program)
  first = program.nonce
  # To map the range of numbers took 4 % longer.
  tasks = Array.new(program[:n]) do |place|
    i = first + place
    program.start(i) { i }
  end
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
