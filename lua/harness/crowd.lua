-- Parks tasks, numbered from `first` on, at a wait that tells of a cancellation, and cancels them all. A suspended coroutine can't be resumed with an error:
-- its wait tells it, as Lua's functions tell of failures.
local park = require("park") -- of the runtime: waits once and cleans up, by what its Lua has for that

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
local function gather(program, first)
  local crowd = setmetatable({ program = program, first = first, tasks = {}, waiting = {}, cancelled = {}, cleaned = 0 }, Crowd)
  for i = first, first + program.values.n - 1 do
    crowd.tasks[i - first + 1] = program:start(i, function() park(crowd, i) end)
  end
  program.scheduler.pass()
  program.scheduler.pass()
  return crowd
end

function Crowd:cancel()
  local scheduler, waited, finished = self.program.scheduler, #self.tasks - self.cleaned, 0
  for i = self.first, self.first + #self.tasks - 1 do
    self.cancelled[i] = true
    scheduler.wake(self.waiting[i])
  end
  for i, task in ipairs(self.tasks) do
    scheduler.join(task)
    if self.program.trace then self.program.trace:record("collect", self.first + i - 1) end
    finished = finished + 1
  end
  return finished, { created = waited, cancelled = self.cleaned, finished = finished }
end

return gather
