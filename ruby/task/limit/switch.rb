# frozen_string_literal: true

require_relative "../../harness/program"
require_relative "../watcher"

# A task's body, a fiber that tells the scheduler by itself to go on with it: how often it was resumed.
def task(i, program, watcher)
  resumes = 0
  m = program[:m]
  own = Fiber.current
  scheduler = Fiber.scheduler
  while resumes < m
    scheduler.unblock(nil, own)
    Fiber.yield
    resumes += 1
    watcher&.resumed(i)
  end
  resumes
end

# Lets k tasks yield m times each, by the fibers' scheduler.
def switch(program)
  count = program[:count] == 1
  watcher = Watcher.new(program.trace) if count || program.trace
  tasks = Array.new(program[:k]) { |i| program.start_resuming(i) { task(i, program, watcher) } }
  finished = resumes = 0
  tasks.each do |one|
    resumes += one.value
    finished += 1
  end
  evidence = { finished: finished, resumes: resumes }
  evidence[:true_switches] = watcher.switches if count
  [resumes, evidence]
end

Program.run("switch", { k: 1, m: 1 }, flags: [:count]) do |program|
  program.repeat { switch(program) }
end
