-- Resumes one coroutine n times, by the language's own resume, which hands a value in and gets one out.
local run = require("program").run

-- Hands out one more than it was sent last.
local function adder(value, n, trace)
  local yield = coroutine.yield
  for _ = 1, n do
    value = yield(value) + 1
    if trace then trace:record("run", 0) end
  end
  if trace then trace:record("done", 0) end
  return value
end

-- Resumes; how many coroutines ended, and what the last one returned.
local function resume(program, n)
  local first, trace, resume = program:nonce(), program.trace, coroutine.resume
  if trace then trace:record("spawn", 0) end
  local thread = coroutine.create(adder)
  if trace then trace:record("spawned", 0) end
  local ok, value = resume(thread, first, n, trace)
  for _ = 1, n do
    ok, value = resume(thread, value)
    if not ok then error(value, 0) end
  end
  local finished = coroutine.status(thread) == "dead" and 1 or 0
  return value - first, { finished = finished, checksum = value }
end

run("generator", { n = 1 }, function(program)
  program:repeated(function() return resume(program, program.values.n) end)
end)
