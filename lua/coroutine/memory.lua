-- Parks n tasks that hold nothing but their number.
require("parking")("memory", function(i, gate)
  gate:wait(i)
  return i
end)
