-- A task of cancel: it waits once, and cleans up where a to-be-closed variable goes out of scope.
local function clean_up(crowd)
  return setmetatable({}, { __close = function() crowd:clean_up() end })
end

return function(crowd, i)
  local _ <close> = clean_up(crowd)
  if crowd:wait(i) then error("a task ran past its wait") end
end
