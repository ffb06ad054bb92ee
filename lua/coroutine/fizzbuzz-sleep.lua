-- n tasks take m steps of fizzbuzz each and sleep after every one; the process is held still when all of them sleep.
local run = require("program").run
local sleep = require("sleep")
local worth = require("fizz")

local MS = 1000000

local Crowd = {}
Crowd.__index = Crowd

-- A task counts itself as its last act before its first sleep; the last of all wakes the root. The first may have ended by then.
function Crowd:enter(i)
  if self.program.trace then self.program.trace:record("park", i) end
  self.alive = self.alive + 1
  self.asleep = self.asleep + 1
  if self.asleep == self.program.values.n then self.program.scheduler.wake(self.root) end
end

function Crowd:hold(point)
  self.program:hold(point, self.alive)
  return self.alive
end

-- The steps that a task did, what they were worth, and how many nanoseconds late its last sleep ended.
function Crowd:body(i)
  local values, clock = self.program.values, self.program.clock
  local done, sum, late = 0, 0, 0
  while done < values.m do
    sum = sum + worth(i + done)
    if done == 0 then self:enter(i) end
    done = done + 1
    local due = clock() + values.sleep_ms * MS
    sleep(values.sleep_ms * MS)
    late = math.max(0, clock() - due)
  end
  self.alive = self.alive - 1
  return { done = done, sum = sum, late = late }
end

local function sleep_all(crowd)
  local program, tasks, lateness = crowd.program, {}, {}
  for i = 0, program.values.n - 1 do
    tasks[i + 1] = program:start(i, function() return crowd:body(i) end)
  end
  crowd.root = coroutine.running()
  coroutine.yield()
  local evidence = { finished = 0, steps = 0, checksum = 0, most_alive = crowd:hold("live") }
  for i, task in ipairs(tasks) do
    local result = program.scheduler.join(task)
    if program.trace then program.trace:record("collect", i - 1) end
    evidence.finished = evidence.finished + 1
    evidence.steps = evidence.steps + result.done
    evidence.checksum = evidence.checksum + result.sum
    lateness[i] = result.late
  end
  return evidence.steps, evidence, lateness
end

run("fizzbuzz-sleep", { n = 1, m = 1, sleep_ms = 1 }, function(program)
  local crowd = setmetatable({ program = program, alive = 0, asleep = 0 }, Crowd)
  local lateness
  crowd:hold("base")
  program:lap(function()
    local ops, evidence
    ops, evidence, lateness = sleep_all(crowd)
    return ops, evidence
  end)
  program:series("lateness", lateness)
end)
