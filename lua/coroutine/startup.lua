-- The smallest process, or one task. The harness is loaded only for other words than these, and for the report that verify asks for.
local function first_task()
  local scheduler = require("scheduler")
  local result
  scheduler.run(function() result = scheduler.join(scheduler.start(function() return 1 end)) end)
  return result
end

local function report()
  require("program").run("startup", { mode = { "bare", "first-task" } }, function(program)
    local function perform()
      if program.values.mode == "bare" then return 0 end
      return program.scheduler.join(program:start(0, function() return 1 end))
    end
    program:lap(function() return 1, { finished = perform() } end)
  end, { "report" })
end

if #arg == 1 and arg[1] == "mode=first-task" then
  os.exit(first_task() == 1)
elseif #arg ~= 1 or arg[1] ~= "mode=bare" then
  report()
end
