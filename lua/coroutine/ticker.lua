-- One task wakes on an absolute schedule while k others do nothing but yield.
local run = require("program").run
local sleep = require("sleep")

local US = 1000

-- How often it yielded. The event loop runs only when no coroutine is ready, so a yield that lets timers fire is a sleep of zero.
local function yields(load)
  load.running = load.running + 1
  local count = 0
  while not load.ended do
    sleep(0)
    count = count + 1
  end
  return count
end

-- How many ticks it took; one that is overdue it takes without a sleep.
local function tick(clock, ticks, period, lateness)
  local due = clock()
  for i = 1, ticks do
    due = due + period
    local left = due - clock()
    if left > 0 then sleep(left) end
    lateness[i] = math.max(0, clock() - due)
  end
  return #lateness
end

local function measure(program, lateness)
  local values, join = program.values, program.scheduler.join
  local load, tasks = { running = 0, ended = false }, {}
  for i = 0, values.k - 1 do
    tasks[i + 1] = program:start(i, function() return yields(load) end)
  end
  while load.running < values.k do program.scheduler.pass() end
  local taken = join(program:start(values.k, function()
    return tick(program.clock, values.ticks, values.period_us * US, lateness)
  end))
  load.ended = true
  local finished, active, yielded = 1, 0, 0
  for _, task in ipairs(tasks) do
    local count = join(task)
    yielded = yielded + count
    if count > 0 then active = active + 1 end
    finished = finished + 1
  end
  return taken, { finished = finished, active = active, yields = yielded }
end

run("ticker", { k = 1, ticks = 1, period_us = 1 }, function(program)
  local lateness = {}
  program:lap(function() return measure(program, lateness) end)
  program:series("lateness", lateness)
end)
