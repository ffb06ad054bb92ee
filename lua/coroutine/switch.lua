-- Lets k tasks yield m times each, by the scheduler's pass or, where the variant says so, by what that comes down to.
local run = require("program").run
local running, give_way = coroutine.running, coroutine.yield

-- Looks at every resume; without trace=1 or count=1, which are never timed, there is none.
local function new_watcher(trace)
  local watcher, last = { switches = 0 }, nil
  function watcher.resumed(task)
    if trace then trace:record("run", task) end
    if last ~= task then watcher.switches = watcher.switches + 1 end
    last = task
  end
  return watcher
end

-- A task's body: how often it was resumed.
local function yields(task, m, pass, watcher)
  local resumes = 0
  while resumes < m do
    pass()
    resumes = resumes + 1
    if watcher then watcher.resumed(task) end
  end
  return resumes
end

-- The same: it knows its coroutine, and puts that in the queue itself.
local function queues_up(task, m, wake, watcher)
  local own, resumes = running(), 0
  while resumes < m do
    wake(own)
    give_way()
    resumes = resumes + 1
    if watcher then watcher.resumed(task) end
  end
  return resumes
end

local function switch(program, k, m)
  local count = program.values.count == 1
  local body, turn = yields, program.scheduler.pass
  if program.values.limit == 1 then body, turn = queues_up, program.scheduler.wake end
  local watcher = (count or program.trace) and new_watcher(program.trace)
  local tasks, finished, resumes = {}, 0, 0
  for i = 0, k - 1 do
    tasks[#tasks + 1] = program:start_resuming(i, function() return body(i, m, turn, watcher) end)
  end
  for _, task in ipairs(tasks) do
    resumes = resumes + program.scheduler.join(task)
    finished = finished + 1
  end
  return resumes, { finished = finished, resumes = resumes, true_switches = count and watcher.switches or nil }
end

run("switch", { k = 1, m = 1 }, function(program)
  program:repeated(function() return switch(program, program.values.k, program.values.m) end)
end, { "count", "limit" })
