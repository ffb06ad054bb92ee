-- Two tasks pass a byte to and fro over a pair of Unix stream sockets.
local luv = require("luv")
local run = require("program").run

local function pair()
  local nonblocking = { nonblock = true }
  local ends = assert(luv.socketpair("stream", nil, nonblocking, nonblocking))
  for i, descriptor in ipairs(ends) do
    ends[i] = luv.new_pipe(false)
    assert(ends[i]:open(descriptor))
  end
  return ends
end

-- A function that waits for the next bytes; libuv reads them as they come, and calls back in its own coroutine.
local function reader(pipe, wake)
  local come, waiter = {}, nil
  pipe:read_start(function(failure, bytes)
    come[#come + 1] = { failure = failure or not bytes and "the other side is gone", bytes = bytes }
    if waiter then wake(waiter) end
    waiter = nil
  end)
  return function()
    if #come == 0 then
      waiter = coroutine.running()
      coroutine.yield()
    end
    local next = table.remove(come, 1)
    if next.failure then error(next.failure, 0) end
    return next.bytes
  end
end

local function ask(pipe, m, wake)
  local read, received = reader(pipe, wake), 0
  while received < m do
    pipe:write("x")
    received = received + #read()
  end
  pipe:close()
  return received
end

local function answer(pipe, m, wake)
  local read, received = reader(pipe, wake), 0
  while received < m do
    local bytes = read()
    received = received + #bytes
    pipe:write(bytes)
  end
  pipe:close()
  return received
end

local function alternate(program, ends)
  local m, wake = program.values.m, program.scheduler.wake
  local tasks = {}
  for i, body in ipairs({ ask, answer }) do
    tasks[i] = program:start(i - 1, function() return body(ends[i], m, wake) end)
  end
  local finished, messages, trips = 0, 0, 0
  for _, task in ipairs(tasks) do
    trips = program.scheduler.join(task) -- as many for each of the two
    messages = messages + trips
    finished = finished + 1
  end
  return trips, { finished = finished, messages = messages }
end

run("io-switch", { m = 1 }, function(program)
  program.scheduler.uses(luv)
  program:repeated(function(ends) return alternate(program, ends) end, pair)
end)
