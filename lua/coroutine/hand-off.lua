-- Two tasks pass a token to and fro, m times each, through mailboxes of one.
local run = require("program").run
local players = require("players")

run("hand-off", { m = 1 }, function(program)
  program:repeated(
    function(ring) return players.pass(program, ring) end,
    function() return players.prepare(program, 2, program.values.m, players.play) end
  )
end)
