# frozen_string_literal: true

require_relative "../harness/program"
require_relative "watcher"

# A task's body: how often it was resumed.
def task(i, program, watcher)
  resumes = 0
  m = program[:m]
  while resumes < m
    program.pass
    resumes += 1
    watcher&.resumed(i)
  end
  resumes
end

# Lets k tasks yield m times each, as the language has it.
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
