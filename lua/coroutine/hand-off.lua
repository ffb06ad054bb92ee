-- Two tasks pass a token to and fro, m times each, through mailboxes of one.
local run = require("program").run
local players = require("players")

run("hand-off", { m = 1 }, function(program)
  program:repeated(function() return players.pass(program, players.start(program, 2, program.values.m)) end)
end)
