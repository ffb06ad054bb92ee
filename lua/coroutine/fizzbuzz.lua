-- n tasks take m steps of fizzbuzz each: as plain calls (base), without waiting (spawn), or with a yield after each (yield).
local run = require("program").run
local worth = require("fizz")

-- The steps of a task and what they were worth; `pass`, where there is one, yields after each.
local function steps(task, m, pass)
  local done, sum = 0, 0
  while done < m do
    sum = sum + worth(task + done)
    done = done + 1
    if pass then pass() end
  end
  return { done = done, sum = sum }
end

local function collect(program, pass)
  local tasks, results = {}, {}
  for i = 0, program.values.n - 1 do
    tasks[i + 1] = program:start(i, function() return steps(i, program.values.m, pass) end)
  end
  for i, task in ipairs(tasks) do
    results[i] = program.scheduler.join(task)
    if program.trace then program.trace:record("collect", i - 1) end
  end
  return results
end

local PHASES = {
  base = function(program)
    local results = {}
    for i = 0, program.values.n - 1 do results[i + 1] = steps(i, program.values.m) end
    return results
  end,
  spawn = collect,
  yield = function(program) return collect(program, program.scheduler.pass) end,
}

run("fizzbuzz", { phase = { "base", "spawn", "yield" }, n = 1, m = 1 }, function(program)
  program:repeated(function()
    local finished, done, checksum = 0, 0, 0
    for _, result in ipairs(PHASES[program.values.phase](program)) do
      finished = finished + 1
      done = done + result.done
      checksum = checksum + result.sum
    end
    return finished, { finished = finished, steps = done, checksum = checksum }
  end)
end)
