-- n parked tasks are cancelled, clean up behind a protected call, and are joined.
local cancel = require("crowd")

local function work(crowd, i)
  if crowd:wait(i) then error("a task ran past its wait", 0) end
end

cancel(function(crowd, i)
  local fine, failure = pcall(work, crowd, i)
  crowd:clean_up()
  if not fine then error(failure, 0) end
end)
