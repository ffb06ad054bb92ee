-- Out of a root that has slept n tasks are started at once, and again; each tells when it first ran.
local run = require("program").run
local sleep = require("sleep")

local MS = 1000000

-- Starts the n tasks that are numbered from `first` on. `starts` gets, after what it holds, how many nanoseconds after the
-- beginning of the burst each of them first ran.
local function start(program, first, n, starts)
  local clock, held, tasks = program.clock, #starts, {}
  local began = clock()
  for place = 1, n do
    local i = first + place - 1
    tasks[place] = program:start(i, function()
      starts[held + place] = clock() - began
      return i
    end)
  end
  return tasks
end

local function measure(program, starts)
  local values, join = program.values, program.scheduler.join
  local first, created, finished, checksum, last_ns = program:nonce(), 0, 0, 0, 0
  for _ = 1, values.bursts do
    sleep(values.idle_ms * MS)
    local tasks = start(program, first, values.n, starts)
    created = created + #tasks
    for _, task in ipairs(tasks) do
      local i = join(task)
      if program.trace then program.trace:record("collect", i) end
      checksum = checksum + i
      finished = finished + 1
    end
    local last = 0
    for place = #starts - values.n + 1, #starts do last = math.max(last, starts[place]) end
    last_ns = last_ns + last
    first = first + values.n
  end
  return finished, { created = created, finished = finished, checksum = checksum, last_ns = last_ns }
end

run("burst", { n = 1, bursts = 1, idle_ms = 1 }, function(program)
  local starts = {}
  program:lap(function() return measure(program, starts) end)
  program:series("start", starts)
end)
