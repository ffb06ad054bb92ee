-- n tasks sleep once, each until a deadline of its own within one second.
local run = require("program").run
local sleep = require("sleep")

local SPREAD_NS = 1000000000
local MS = 1000000

local function sleep_all(program, n, lead)
  local clock, join = program.clock, program.scheduler.join
  local start, tasks, lateness = clock() + lead * MS, {}, {}
  for i = 0, n - 1 do
    local deadline = start + math.floor(i * SPREAD_NS / n)
    tasks[i + 1] = program:start(i, function()
      sleep(math.max(0, deadline - clock()))
      return { number = i, late = clock() - deadline }
    end)
  end
  local finished, checksum, early = 0, 0, 0
  for i, task in ipairs(tasks) do
    local woken = join(task)
    if woken.late < -MS then early = early + 1 end
    lateness[i] = math.max(0, woken.late)
    checksum = checksum + woken.number
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
