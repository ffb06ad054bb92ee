-- Calls a plain function n times and sums what it returns: the language without tasks.
local run = require("program").run

local function body(i)
  return i
end

local function call(first, n)
  local finished, checksum = 0, 0
  for i = first, first + n - 1 do
    checksum = checksum + body(i)
    finished = finished + 1
  end
  return finished, { finished = finished, checksum = checksum }
end

run("baseline", { n = 1 }, function(program)
  program:repeated(function() return call(program:nonce(), program.values.n) end)
end)
