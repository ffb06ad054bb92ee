-- Hands over one value at a time from one task to one other: the language has no queue in which a coroutine can wait.
local scheduler = require("scheduler")
local running, yield = coroutine.running, coroutine.yield

local Mailbox = {}
Mailbox.__index = Mailbox

function Mailbox.new()
  return setmetatable({}, Mailbox)
end

function Mailbox:put(value)
  assert(self.value == nil, "the mailbox is full")
  self.value = value
  if self.waiter then
    scheduler.wake(self.waiter)
    self.waiter = nil
  end
end

function Mailbox:take()
  if self.value == nil then
    self.waiter = running()
    yield()
  end
  local value = self.value
  self.value = nil
  return value
end

return Mailbox
