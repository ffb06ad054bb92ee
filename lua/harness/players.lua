-- The tasks of hand-off and ring.
local Mailbox = require("mailbox")

local players = {}

-- Takes the token, adds one and passes it on; returns how often it had it.
function players.play(i, inbox, outbox, rounds, trace)
  local received = 0
  while received < rounds do
    local token = inbox:take()
    if trace then trace:record("run", i) end
    received = received + 1
    outbox:put(token + 1)
  end
  return received
end

-- Starts k players in a ring, with a mailbox each, at which all of them wait when this returns. They play by `body`.
function players.prepare(program, k, rounds, body)
  local boxes, tasks = {}, {}
  for i = 0, k - 1 do boxes[i] = Mailbox.new() end
  for i = 0, k - 1 do
    tasks[i + 1] = program:start_resuming(i, function() return body(i, boxes[i], boxes[(i + 1) % k], rounds, program.trace) end)
  end
  program.scheduler.pass() -- back here, all of them wait
  return { boxes = boxes, tasks = tasks }
end

-- Gives the first player the token, joins them all, and takes the token that the last one sent.
function players.pass(program, ring)
  ring.boxes[0]:put(program:nonce())
  local finished, messages = 0, 0
  for _, task in ipairs(ring.tasks) do
    messages = messages + program.scheduler.join(task)
    finished = finished + 1
  end
  return messages, { finished = finished, messages = messages, checksum = ring.boxes[0]:take() }
end

return players
