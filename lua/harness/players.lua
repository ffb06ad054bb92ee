-- The tasks of hand-off and ring.
local Mailbox = require("mailbox")
local wake = require("scheduler").wake
local running, yield = coroutine.running, coroutine.yield

local players = {}

-- Takes the token, adds one and passes it on; returns how often it had it.
local function play(i, inbox, outbox, rounds, trace)
  local received = 0
  while received < rounds do
    local token = inbox:take()
    if trace then trace:record("run", i) end
    received = received + 1
    outbox:put(token + 1)
  end
  return received
end

-- The same with what the mailboxes do written out.
function players.play_by_hand(i, inbox, outbox, rounds, trace)
  local own, received = running(), 0
  while received < rounds do
    if inbox.value == nil then
      inbox.waiter = own
      yield()
    end
    local token = inbox.value
    inbox.value = nil
    if trace then trace:record("run", i) end
    received = received + 1
    if outbox.value ~= nil then error("the mailbox is full") end
    outbox.value = token + 1
    if outbox.waiter then
      wake(outbox.waiter)
      outbox.waiter = nil
    end
  end
  return received
end

-- Starts k players in a ring, with a mailbox each, at which all of them wait when this returns.
function players.prepare(program, k, rounds, body)
  local boxes, tasks = {}, {}
  body = body or play
  for i = 0, k - 1 do boxes[i] = Mailbox.new() end
  for i = 0, k - 1 do
    tasks[i + 1] = program:start_resuming(i, function() return body(i, boxes[i], boxes[(i + 1) % k], rounds, program.trace) end)
  end
  program.scheduler.pass() -- back here, all of them wait
  return { boxes = boxes, tasks = tasks }
end

-- Gives the first player the token, joins them all, and takes the token that the last one sent.
function players.pass(program, ring)
  ring.boxes[0]:put(0)
  local finished, messages = 0, 0
  for _, task in ipairs(ring.tasks) do
    messages = messages + program.scheduler.join(task)
    finished = finished + 1
  end
  return messages, { finished = finished, messages = messages, checksum = ring.boxes[0]:take() }
end

return players
