-- A planted fault: a task that nobody joins fails while the root waits.
require("program").run("planted", {}, function(program)
  program:start(0, function() error("planted") end)
  coroutine.yield()
end)
