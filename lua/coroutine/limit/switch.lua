-- Lets k tasks yield m times each: each knows its coroutine, and puts that in the queue itself.
local run = require("program").run
local new_watcher = require("watcher")
local running, give_way = coroutine.running, coroutine.yield

-- How often it was resumed, counted from the nonce on.
local function task(i, first, stop, wake, watcher)
  local own, count = running(), first
  while count < stop do
    wake(own)
    give_way()
    count = count + 1
    if watcher then watcher.resumed(i) end
  end
  return count
end

local function switch(program, k, m)
  local first = program:nonce()
  local stop = first + m
  local count, wake = program.values.count == 1, program.scheduler.wake
  local watcher = (count or program.trace) and new_watcher(program.trace)
  local tasks, finished, checksum = {}, 0, 0
  for i = 0, k - 1 do
    tasks[#tasks + 1] = program:start_resuming(i, function() return task(i, first, stop, wake, watcher) end)
  end
  for _, one in ipairs(tasks) do
    checksum = checksum + program.scheduler.join(one)
    finished = finished + 1
  end
  local resumes = checksum - k * first
  local switches = count and watcher.switches or nil
  return resumes, { finished = finished, resumes = resumes, checksum = checksum, true_switches = switches }
end

run("switch", { k = 1, m = 1 }, function(program)
  program:repeated(function() return switch(program, program.values.k, program.values.m) end)
end, { "count" })
