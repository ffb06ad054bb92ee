-- Lua has coroutines, and leaves what resumes them to others: this is a queue of those that are ready, first in, first out,
-- and, once that is empty, the event loop of libuv.
local create, resume, running, yield = coroutine.create, coroutine.resume, coroutine.running, coroutine.yield
local scheduler = {}

local ready, first, last = {}, 1, 0
local loop -- luv, once something waits for it

-- Puts a coroutine at the end of the queue.
local function wake(thread)
  last = last + 1
  ready[last] = thread
end
scheduler.wake = wake

-- One cooperative yield.
function scheduler.pass()
  wake(running())
  yield()
end

-- Starts a task, which waits for its turn. Its handle knows what the body returned, once it has.
function scheduler.start(body)
  local task = {}
  wake(create(function()
    task.value = body()
    task.done = true
    if task.waiter then wake(task.waiter) end
  end))
  return task
end

-- What the task's body returned; waits for it.
function scheduler.join(task)
  if not task.done then
    task.waiter = running()
    yield()
  end
  return task.value
end

-- For what waits in the event loop: it is polled when no coroutine is ready.
function scheduler.uses(luv)
  loop = luv
end

local function turn()
  local thread = ready[first]
  ready[first] = nil
  -- From the beginning where it is empty: a table whose keys wander has to move them.
  if first == last then first, last = 1, 0 else first = first + 1 end
  local resumed, failure = resume(thread)
  if not resumed then error(type(failure) == "table" and failure or debug.traceback(thread, tostring(failure)), 0) end
end

-- Runs the root and all that it starts. An error of any of them ends it, as does a root that waits for ever.
function scheduler.run(root)
  local task = scheduler.start(root)
  while not task.done do
    if first <= last then
      turn()
    elseif not (loop and loop.run("once")) and first > last then -- the last that the loop had may have woken somebody
      error("every coroutine waits for another", 0)
    end
  end
  -- What was closed is freed in a turn of the loop; the interpreter crashes where it still finds it at its end.
  if loop then loop.run("nowait") end
end

return scheduler
