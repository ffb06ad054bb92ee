-- Each task starts the next as its last act; the root waits for the last one only.
local run = require("program").run
local Mailbox = require("mailbox")

local function chain(program, n)
  local ended, finished, checksum = Mailbox.new(), 0, 0
  local first = program:nonce()
  local last = first + n - 1

  local function link(i)
    checksum = checksum + i
    finished = finished + 1
    if i < last then
      program:start(i + 1, function() link(i + 1) end)
    else
      ended:put(true)
    end
  end

  program:start(first, function() link(first) end)
  ended:take()
  return finished, { finished = finished, checksum = checksum }
end

run("spawn-chain", { n = 1 }, function(program)
  program:repeated(function() return chain(program, program.values.n) end)
end)
