-- p producers send m messages each to one consumer through one bounded queue.
local run = require("program").run
local Queue = require("queue")

local ROOM = 128

-- How many messages came, and their sum.
local function consume(queue, messages)
  local received, sum = 0, 0
  while received < messages do
    sum = sum + queue:get()
    received = received + 1
  end
  return { messages = received, checksum = sum }
end

local function gather(program, p, m)
  local queue, tasks, last, nonce = Queue.new(ROOM), {}, nil, program:nonce()
  for i = 0, p - 1 do
    local value = nonce + i + 1
    tasks[i + 1] = program:start(i, function()
      for _ = 1, m do queue:put(value) end
    end)
  end
  tasks[p + 1] = program:start(p, function() return consume(queue, p * m) end)
  local finished = 0
  for _, task in ipairs(tasks) do
    last = program.scheduler.join(task)
    finished = finished + 1
  end
  return last.messages, { finished = finished, messages = last.messages, checksum = last.checksum }
end

run("fan-in", { p = 1, m = 1 }, function(program)
  program:repeated(function() return gather(program, program.values.p, program.values.m) end)
end)
