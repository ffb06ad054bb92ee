-- k tasks, each waiting at a mailbox of one, pass a token round.
local run = require("program").run
local players = require("players")

run("ring", { k = 1, rounds = 1 }, function(program)
  program:repeated(
    function(ring) return players.pass(program, ring) end,
    function() return players.prepare(program, program.values.k, program.values.rounds, players.play) end
  )
end)
