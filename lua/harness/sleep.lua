-- Gives way for whole milliseconds, as libuv's timers have them, rounded up.
local luv = require("luv")
local scheduler = require("scheduler")

local MS = 1000000

return function(ns)
  local timer, thread = luv.new_timer(), coroutine.running()
  scheduler.uses(luv)
  luv.update_time() -- the loop's own time is that of its last turn, from which a timer would count
  timer:start(math.ceil(ns / MS), 0, function()
    timer:close()
    scheduler.wake(thread)
  end)
  coroutine.yield()
end
