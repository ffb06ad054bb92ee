-- Parks tasks at a wait that tells of a cancellation, and cancels them all. A suspended coroutine can't be resumed with an error:
-- its wait tells it, as Lua's functions tell of failures.
local run = require("program").run

local Crowd = {}
Crowd.__index = Crowd

-- True, or nil and why there is no such thing.
function Crowd:wait(i)
  if self.program.trace then self.program.trace:record("park", i) end
  self.waiting[i] = coroutine.running()
  coroutine.yield()
  if self.cancelled[i] then return nil, "cancelled" end
  return true
end

-- Counts a task whose clean-up runs.
function Crowd:clean_up()
  self.cleaned = self.cleaned + 1
end

-- All of them wait when it returns: after one turn of the scheduler they do, and in another one those that only gave way go on.
local function gather(program, park)
  local crowd = setmetatable({ program = program, tasks = {}, waiting = {}, cancelled = {}, cleaned = 0 }, Crowd)
  for i = 0, program.values.n - 1 do
    crowd.tasks[i + 1] = program:start(i, function() park(crowd, i) end)
  end
  program.scheduler.pass()
  program.scheduler.pass()
  return crowd
end

function Crowd:cancel()
  local scheduler, waited, finished = self.program.scheduler, #self.tasks - self.cleaned, 0
  for i = 0, #self.tasks - 1 do
    self.cancelled[i] = true
    scheduler.wake(self.waiting[i])
  end
  for i, task in ipairs(self.tasks) do
    scheduler.join(task)
    if self.program.trace then self.program.trace:record("collect", i - 1) end
    finished = finished + 1
  end
  return finished, { created = waited, cancelled = self.cleaned, finished = finished }
end

-- The whole program of cancel: `park(crowd, i)` waits once and cleans up, by what its Lua has for that.
return function(park)
  run("cancel", { n = 1 }, function(program)
    program:hold("base", 0)
    program:repeated(Crowd.cancel, function() return gather(program, park) end)
    program:hold("released", 0)
  end)
end
