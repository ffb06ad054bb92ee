# frozen_string_literal: true

require_relative "../harness/program"

# Looks at every resume. It is there only with trace=1 or count=1, which are never timed.
class Watcher
  attr_reader :switches

  def initialize(trace)
    @trace = trace
    @switches = 0
  end

  def resumed(task)
    @trace&.run(task)
    @switches += 1 if @last != task
    @last = task
  end
end

# A task's body: how often it was resumed.
def yields(task, program, watcher)
  resumes = 0
  m = program[:m]
  while resumes < m
    program.pass
    resumes += 1
    watcher&.resumed(task)
  end
  resumes
end

# The same for a fiber that tells the scheduler by itself to go on with it.
def queues_up(task, program, watcher)
  resumes = 0
  m = program[:m]
  own = Fiber.current
  scheduler = Fiber.scheduler
  while resumes < m
    scheduler.unblock(nil, own)
    Fiber.yield
    resumes += 1
    watcher&.resumed(task)
  end
  resumes
end

# Lets k tasks yield m times each, as the language has it or, where the variant says so, by the fibers' scheduler.
def switch(program)
  count = program[:count] == 1
  body = program[:limit] == 1 ? method(:queues_up) : method(:yields)
  watcher = Watcher.new(program.trace) if count || program.trace
  tasks = Array.new(program[:k]) { |i| program.start_resuming(i) { body.call(i, program, watcher) } }
  finished = resumes = 0
  tasks.each do |task|
    resumes += task.value
    finished += 1
  end
  evidence = { finished: finished, resumes: resumes }
  evidence[:true_switches] = watcher.switches if count
  [resumes, evidence]
end

Program.run("switch", { k: 1, m: 1 }, flags: %i[count limit]) do |program|
  program.repeat { switch(program) }
end
