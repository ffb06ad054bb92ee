-- Starts n tasks, then collects and sums what they return.
local run = require("program").run

local function spawn(program, n)
  local tasks, first = {}, program:nonce()
  for i = first, first + n - 1 do
    tasks[#tasks + 1] = program:start(i, function() return i end)
  end
  local created, finished, checksum = #tasks, 0, 0
  for _, task in ipairs(tasks) do
    local result = program.scheduler.join(task)
    if program.trace then program.trace:record("collect", result) end
    checksum = checksum + result
    finished = finished + 1
  end
  return finished, { created = created, finished = finished, checksum = checksum }
end

run("spawn", { n = 1 }, function(program)
  program:repeated(function() return spawn(program, program.values.n) end)
end)
