-- p producers send m messages each to c consumers through one bounded queue.
local run = require("program").run
local Queue = require("queue")

local ENDED = false -- no more messages will come

local function produce(i, queue, first, m, trace)
  for message = first, first + m - 1 do
    queue:put(message)
    if trace then trace:record("run", i) end
  end
end

-- How many messages came, and their sum.
local function consume(i, queue, trace)
  local received, sum = 0, 0
  local message = queue:get()
  while message ~= ENDED do
    if trace then trace:record("run", i) end
    received = received + 1
    sum = sum + message
    message = queue:get()
  end
  return { messages = received, checksum = sum }
end

local function channel(program, p, c, m)
  local queue, first, trace, join = Queue.new(program.values.b), program:nonce(), program.trace, program.scheduler.join
  local producers, consumers, finished = {}, {}, 0
  for i = 0, p - 1 do
    producers[i + 1] = program:start(i, function() return produce(i, queue, first + i * m, m, trace) end)
  end
  for i = p, p + c - 1 do
    consumers[i - p + 1] = program:start(i, function() return consume(i, queue, trace) end)
  end
  for _, task in ipairs(producers) do
    join(task)
    finished = finished + 1
  end
  for _ = 1, c do queue:put(ENDED) end
  local messages, most, checksum = 0, 0, 0
  for _, task in ipairs(consumers) do
    local received = join(task)
    messages = messages + received.messages
    most = math.max(most, received.messages)
    checksum = checksum + received.checksum
    finished = finished + 1
  end
  return messages, { finished = finished, messages = messages, most = most, checksum = checksum }
end

run("channel", { p = 1, c = 1, b = 1, m = 1 }, function(program)
  program:repeated(function() return channel(program, program.values.p, program.values.c, program.values.m) end)
end)
