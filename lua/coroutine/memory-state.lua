-- Parks n tasks, each eight calls deep with 1 KiB of its own.
local DEPTH = 8
local SIZE = 1024
local VALUES = 251

-- The parentheses keep the call from being one in tail position, which would leave no frame.
local function descend(i, gate, level)
  if level < DEPTH then return (descend(i, gate, level + 1)) end
  local state = string.char(i % VALUES):rep(SIZE)
  gate:wait(i)
  return i - i % VALUES + state:byte(-1)
end

require("parking")("memory-state", function(i, gate) return (descend(i, gate, 1)) end)
