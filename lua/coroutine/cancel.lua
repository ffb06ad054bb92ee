-- n parked tasks are cancelled, clean up and are joined.
local run = require("program").run
local gather = require("crowd")

run("cancel", { n = 1 }, function(program)
  program:hold("base", 0)
  program:repeated(function(crowd) return crowd:cancel() end, function() return gather(program, 0) end)
  program:hold("released", 0)
end)
