# frozen_string_literal: true

require_relative "../../harness/program"
require_relative "../watcher"

# A task's body, a fiber that tells the scheduler by itself to go on with it: how often it was resumed, counted from the nonce on.
def task(i, nonce, program, watcher)
  count = nonce
  stop = nonce + program[:m]
  own = Fiber.current
  scheduler = Fiber.scheduler
  while count < stop
    scheduler.unblock(nil, own)
    Fiber.yield
    count += 1
    watcher&.resumed(i)
  end
  count
end

# Lets k tasks yield m times each, by the fibers' scheduler.
def switch(program)
  count = program[:count] == 1
  watcher = Watcher.new(program.trace) if count || program.trace
  nonce = program.nonce
  tasks = Array.new(program[:k]) { |i| program.start_resuming(i) { task(i, nonce, program, watcher) } }
  finished = checksum = 0
  tasks.each do |one|
    checksum += one.value
    finished += 1
  end
  resumes = checksum - (program[:k] * nonce)
  evidence = { finished: finished, resumes: resumes, checksum: checksum }
  evidence[:true_switches] = watcher.switches if count
  [resumes, evidence]
end

Program.run("switch", { k: 1, m: 1 }, flags: [:count]) do |program|
  program.repeat { switch(program) }
end
