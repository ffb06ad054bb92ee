-- Looks at every resume of switch; without trace=1 or count=1, which are never timed, there is none.
return function(trace)
  local watcher, last = { switches = 0 }, nil
  function watcher.resumed(task)
    if trace then trace:record("run", task) end
    if last ~= task then watcher.switches = watcher.switches + 1 end
    last = task
  end
  return watcher
end
