-- n parked tasks are cancelled, clean up where a to-be-closed variable goes out of scope, and are joined.
local cancel = require("crowd")

-- Counts itself where its task ends.
local function clean_up(crowd)
  return setmetatable({}, { __close = function() crowd:clean_up() end })
end

cancel(function(crowd, i)
  local _ <close> = clean_up(crowd)
  if crowd:wait(i) then error("a task ran past its wait") end
end)
