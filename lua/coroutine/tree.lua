-- A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf.
local program_of = require("program")

local CHILDREN = 10

-- How many tasks were joined in a task, itself included, and the sum of its leaves.
local function node(program, first, leaves)
  if leaves == 1 then return { tasks = 1, sum = first } end
  local share, children, total = math.floor(leaves / CHILDREN), {}, { tasks = 1, sum = 0 }
  for i = 0, CHILDREN - 1 do
    children[#children + 1] = program:start_next(function() return node(program, first + i * share, share) end)
  end
  for _, child in ipairs(children) do
    local part = program.scheduler.join(child)
    total.tasks = total.tasks + part.tasks
    total.sum = total.sum + part.sum
  end
  return total
end

local function grow(program, n)
  local first = program:nonce()
  local total = program.scheduler.join(program:start_next(function() return node(program, first, n) end))
  return total.tasks, { finished = total.tasks, checksum = total.sum }
end

program_of.run("tree", { n = 1 }, function(program)
  local n = program.values.n
  if not tostring(n):match("^10*$") then program_of.usage("n=%d must be a power of ten", n) end
  program:repeated(function() return grow(program, n) end)
end)
