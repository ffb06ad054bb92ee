-- One process: its arguments, its tasks, the lines that it owes the runner, and the loop that times its operation.
local luv = require("luv")
local arguments = require("arguments")
local json = require("json")
local scheduler = require("scheduler")

local MOST_ITERATIONS = 10000

-- The monotonic clock in nanoseconds; luv has it as a float. LuaJIT has no integers of their own.
local whole = math.tointeger or math.floor
local function clock()
  return whole(luv.hrtime())
end

local Program = { scheduler = scheduler, clock = clock, start_ns = 0, cpu = 0 }
Program.__index = Program

local function write(line)
  assert(io.stdout:write(json.encode(line), "\n"))
end

-- User and system time of the process, in nanoseconds; the kernel tells them in microseconds.
local function cpu_ns()
  local usage = luv.getrusage()
  return (usage.utime.sec + usage.stime.sec) * 1000000000 + (usage.utime.usec + usage.stime.usec) * 1000
end

-- Events of a trace. A coroutine's name is its address, which is given anew once it is gone: none of them goes.
local function new_trace()
  local seen = {}
  return setmetatable({
    record = function(self, kind, task)
      local thread = coroutine.running()
      seen[thread] = true
      self[#self + 1] = { kind, task, tostring(thread) }
    end,
  }, json.array)
end

function Program:hello()
  local version = (jit and jit.version or _VERSION):match("[%d.]+")
  write({
    type = "hello",
    protocol = 1,
    runtime = os.getenv("COROBENCH_RUNTIME") or arguments.usage("COROBENCH_RUNTIME is not set"),
    version = version,
    language_version = version,
    workload = self.workload,
    params = self.params,
    settings = {
      gc = collectgarbage("isrunning"),
      gc_mode = self.gc_mode(),
      jit = jit and jit.status(),
      libuv = luv.version_string(),
    },
  })
  assert(io.stdout:flush())
end

-- The mode can be told only by setting one; it is put back. LuaJIT has one mode only.
function Program.gc_mode()
  if jit then return "incremental" end
  local mode = collectgarbage("incremental")
  collectgarbage(mode)
  return mode
end

-- Starts task i; joining it gives what the body returned.
function Program:start(i, body)
  if not self.trace then return scheduler.start(body) end
  return self:start_resuming(i, function()
    self.trace:record("run", i)
    return body()
  end)
end

-- The same for a task that records by itself when it is resumed.
function Program:start_resuming(i, body)
  if not self.trace then return scheduler.start(body) end
  self.trace:record("spawn", i)
  local task = scheduler.start(function()
    local value = body()
    self.trace:record("done", i)
    return value
  end)
  self.trace:record("spawned", i)
  return task
end

-- The same for a task that others than the root start: its number is the next.
function Program:start_next(body)
  self.number = (self.number or -1) + 1
  return self:start(self.number, body)
end

-- The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
function Program:nonce()
  return self.values.nonce + #self.lines
end

-- The time that an iteration took, in nanoseconds. The operation returns its operations and its evidence.
function Program:lap(operation, prepared)
  self.cpu, self.start_ns = cpu_ns(), clock()
  local ops, evidence = operation(prepared)
  local elapsed = clock() - self.start_ns
  self.lines[#self.lines + 1] = {
    type = "iteration",
    index = #self.lines,
    elapsed_ns = elapsed,
    cpu_ns = cpu_ns() - self.cpu,
    ops = ops,
    evidence = evidence,
  }
  return elapsed
end

-- Times the operation until that is enough; what `prepare` returns before each time is handed to it, and then to `finish`,
-- untimed.
function Program:repeated(operation, prepare, finish)
  local values, warm = self.values, 0
  repeat
    local prepared = prepare and prepare()
    local elapsed = self:lap(operation, prepared)
    if finish then finish(prepared) end
    local done = #self.lines
    if done > 1 then warm = warm + elapsed end
    local enough = done >= values.iterations and warm >= values.min_warm_ms * 1000000
  until self.trace or enough or done >= MOST_ITERATIONS
end

-- Announces a named point, and waits there until the runner has read the process from outside. That is no time of the
-- iteration that is under way.
function Program:hold(point, units)
  local cpu, start = cpu_ns(), clock()
  if self.trace then self.trace:record("hold", -1) end
  write({ type = "hold", point = point, units = units })
  assert(io.stdout:flush())
  if not io.read("l") then error("stdin ended at the hold " .. point .. ": the runner is gone", 0) end
  self.start_ns, self.cpu = self.start_ns + clock() - start, self.cpu + cpu_ns() - cpu
end

-- Raw samples in nanoseconds, in the order in which they happened.
function Program:series(name, values)
  self.lines[#self.lines + 1] = { type = "series", name = name, values = values }
end

function Program:whole(main)
  self:hello()
  main(self)
  for _, line in ipairs(self.lines) do write(line) end
  if self.trace then write({ type = "trace", events = self.trace }) end
  write({ type = "end" })
  assert(io.stdout:flush())
end

-- Runs a workload to its last line; what goes wrong ends the process, with 2 for a wrong command line.
local function run(workload, rules, main, flags)
  local fine, failure = xpcall(function()
    local values, params = arguments.parse(arg, rules, flags)
    local trace = values.trace == 1 and new_trace() or nil
    local program = setmetatable({ workload = workload, values = values, params = params, trace = trace, lines = {} }, Program)
    scheduler.run(function() program:whole(main) end)
  end, function(failure) return type(failure) == "table" and failure or debug.traceback(failure) end)
  if fine then return end
  local usage = type(failure) == "table" and failure.usage
  io.stderr:write(usage and "usage: " .. usage or failure, "\n")
  os.exit(usage and 2 or 1)
end

return { run = run, usage = arguments.usage }
