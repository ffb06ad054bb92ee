-- Hands values over in order, with room for so many: who finds it full or empty waits, first come, first served.
local scheduler = require("scheduler")

local Line = {}
Line.__index = Line

local function new_line()
  return setmetatable({ first = 1, last = 0 }, Line)
end

function Line:size()
  return self.last - self.first + 1
end

function Line:add(value)
  self.last = self.last + 1
  self[self.last] = value
end

function Line:take()
  local value = self[self.first]
  self[self.first] = nil
  self.first = self.first + 1
  return value
end

local Queue = {}
Queue.__index = Queue

function Queue.new(room)
  return setmetatable({ room = room, values = new_line(), putters = new_line(), getters = new_line() }, Queue)
end

local function wait_in(line)
  line:add(coroutine.running())
  coroutine.yield()
end

local function wake_one(line)
  if line:size() > 0 then scheduler.wake(line:take()) end
end

function Queue:put(value)
  while self.values:size() == self.room do wait_in(self.putters) end
  self.values:add(value)
  wake_one(self.getters)
end

function Queue:get()
  while self.values:size() == 0 do wait_in(self.getters) end
  local value = self.values:take()
  wake_one(self.putters)
  return value
end

return Queue
