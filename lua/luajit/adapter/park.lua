-- A task of cancel: it waits once, and cleans up behind a protected call.
local function work(crowd, i)
  if crowd:wait(i) then error("a task ran past its wait", 0) end
end

return function(crowd, i)
  local fine, failure = pcall(work, crowd, i)
  crowd:clean_up()
  if not fine then error(failure, 0) end
end
