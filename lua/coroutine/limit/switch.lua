-- Lets k tasks yield m times each: each knows its coroutine, and puts that in the queue itself.
local run = require("program").run
local new_watcher = require("watcher")
local running, give_way = coroutine.running, coroutine.yield

-- How often it was resumed.
local function task(i, m, wake, watcher)
  local own, resumes = running(), 0
  while resumes < m do
    wake(own)
    give_way()
    resumes = resumes + 1
    if watcher then watcher.resumed(i) end
  end
  return resumes
end

local function switch(program, k, m)
  local count, wake = program.values.count == 1, program.scheduler.wake
  local watcher = (count or program.trace) and new_watcher(program.trace)
  local tasks, finished, resumes = {}, 0, 0
  for i = 0, k - 1 do
    tasks[#tasks + 1] = program:start_resuming(i, function() return task(i, m, wake, watcher) end)
  end
  for _, one in ipairs(tasks) do
    resumes = resumes + program.scheduler.join(one)
    finished = finished + 1
  end
  return resumes, { finished = finished, resumes = resumes, true_switches = count and watcher.switches or nil }
end

run("switch", { k = 1, m = 1 }, function(program)
  program:repeated(function() return switch(program, program.values.k, program.values.m) end)
end, { "count" })
