# frozen_string_literal: true

require_relative "../harness/program"

# A task's body: how often it woke, counted from the nonce on.
def task(i, nonce, m, trace)
  count = nonce
  m.times do
    sleep(0)
    count += 1
    trace&.run(i)
  end
  count
end

# k tasks sleep m times each for no time at all.
def sleep_zero(program)
  nonce = program.nonce
  tasks = Array.new(program[:k]) { |i| program.start_resuming(i) { task(i, nonce, program[:m], program.trace) } }
  finished = checksum = 0
  tasks.each do |one|
    checksum += one.value
    finished += 1
  end
  [checksum - (finished * nonce), { finished: finished, checksum: checksum }]
end

Program.run("sleep-zero", { k: 1, m: 1 }) do |program|
  program.repeat { sleep_zero(program) }
end
