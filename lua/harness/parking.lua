-- Parks n tasks at one gate and holds the process still before, while and after they live.
local run = require("program").run

local Parking = {}
Parking.__index = Parking

-- Parks task i until the gate is opened.
function Parking:wait(i)
  if self.program.trace then self.program.trace:record("park", i) end
  self.parked = self.parked + 1
  self.waiting[#self.waiting + 1] = coroutine.running()
  coroutine.yield()
  self.parked = self.parked - 1
end

function Parking:hold(point)
  self.program:hold(point, self.parked)
end

-- As it is, and after a forced collection.
function Parking:hold_twice(point)
  self:hold(point)
  collectgarbage()
  self:hold(point .. "-collected")
end

function Parking:open()
  for _, thread in ipairs(self.waiting) do self.program.scheduler.wake(thread) end
  self.waiting = {}
end

-- How many tasks were started; they are gone, handles and all, when it returns what they added up to.
function Parking:live(body)
  local tasks, first = {}, self.program:nonce()
  for i = first, first + self.program.values.n - 1 do
    tasks[#tasks + 1] = self.program:start(i, function() return body(i, self) end)
  end
  self.program.scheduler.pass() -- back here, all of them wait
  self:hold_twice("live")
  self:open()
  local finished, checksum = 0, 0
  for _, task in ipairs(tasks) do
    checksum = checksum + self.program.scheduler.join(task)
    finished = finished + 1
  end
  return #tasks, finished, checksum
end

function Parking:measure(body)
  self:hold("base")
  local created, finished, checksum = self:live(body)
  self:hold_twice("released")
  return finished, { created = created, finished = finished, checksum = checksum }
end

-- The whole program of a memory workload: `body(i, gate)` waits at the gate once, and returns i.
return function(workload, body)
  run(workload, { n = 1 }, function(program)
    program:lap(function() return setmetatable({ program = program, parked = 0, waiting = {} }, Parking):measure(body) end)
  end)
end
