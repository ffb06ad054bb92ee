-- Two tasks pass a token to and fro, m times each, with what the mailboxes do written out.
local run = require("program").run
local players = require("players")
local wake = require("scheduler").wake
local running, yield = coroutine.running, coroutine.yield

-- Takes the token, adds one and passes it on; returns how often it had it.
local function play(i, inbox, outbox, rounds, trace)
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

run("hand-off", { m = 1 }, function(program)
  program:repeated(
    function(ring) return players.pass(program, ring) end,
    function() return players.prepare(program, 2, program.values.m, play) end
  )
end)
