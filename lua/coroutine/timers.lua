-- n tasks sleep once, each until a deadline of its own within one second.
local luv = require("luv")
local run = require("program").run

local SPREAD_NS <const> = 1000000000
local MS <const> = 1000000

-- Gives way for whole milliseconds, as libuv's timers have them, rounded up.
local function sleep(ns, wake)
  local timer, thread = luv.new_timer(), coroutine.running()
  timer:start((ns + MS - 1) // MS, 0, function()
    timer:close()
    wake(thread)
  end)
  coroutine.yield()
end

local function sleep_all(program, n, lead)
  local clock, wake, join = program.clock, program.scheduler.wake, program.scheduler.join
  program.scheduler.uses(luv)
  local start, tasks, lateness = clock() + lead * MS, {}, {}
  for i = 0, n - 1 do
    local deadline = start + i * SPREAD_NS // n
    tasks[i + 1] = program:start(i, function()
      luv.update_time()
      sleep(math.max(0, deadline - clock()), wake)
      return clock() - deadline
    end)
  end
  local finished, checksum, early = 0, 0, 0
  for i, task in ipairs(tasks) do
    local late = join(task)
    if late < -MS then early = early + 1 end
    lateness[i] = math.max(0, late)
    checksum = checksum + i - 1
    finished = finished + 1
  end
  return finished, { created = #tasks, finished = finished, checksum = checksum, early = early }, lateness
end

run("timers", { n = 1, lead = 0 }, function(program)
  local lateness
  program:lap(function()
    local ops, evidence
    ops, evidence, lateness = sleep_all(program, program.values.n, program.values.lead)
    return ops, evidence
  end)
  program:series("lateness", lateness)
end)
