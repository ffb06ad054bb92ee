-- k tasks sleep m times each for no time at all.
local run = require("program").run
local sleep = require("sleep")

-- How often it woke, counted from the nonce on.
local function task(i, first, stop, trace)
  local count = first
  while count < stop do
    sleep(0)
    count = count + 1
    if trace then trace:record("run", i) end
  end
  return count
end

local function sleep_zero(program, k, m)
  local first, tasks, finished, checksum = program:nonce(), {}, 0, 0
  for i = 0, k - 1 do
    tasks[i + 1] = program:start_resuming(i, function() return task(i, first, first + m, program.trace) end)
  end
  for _, one in ipairs(tasks) do
    checksum = checksum + program.scheduler.join(one)
    finished = finished + 1
  end
  return checksum - finished * first, { finished = finished, checksum = checksum }
end

run("sleep-zero", { k = 1, m = 1 }, function(program)
  program:repeated(function() return sleep_zero(program, program.values.k, program.values.m) end)
end)
