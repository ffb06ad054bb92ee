-- n parked tasks are cancelled, clean up and are joined while k others do nothing but yield.
local run = require("program").run
local gather = require("crowd")

local Loaded = {}
Loaded.__index = Loaded

-- `active` are those that have yielded and not ended.
function Loaded:yields()
  local pass = self.scheduler.pass
  pass()
  self.active = self.active + 1
  while not self.ended do pass() end
  self.active = self.active - 1
end

local function prepare(program, k)
  local loaded = setmetatable({ scheduler = program.scheduler, active = 0, ended = false, load = {} }, Loaded)
  for i = 0, k - 1 do loaded.load[i + 1] = program:start(i, function() loaded:yields() end) end
  loaded.crowd = gather(program, k)
  while loaded.active < k do program.scheduler.pass() end
  return loaded
end

function Loaded:cancel()
  local ops, evidence = self.crowd:cancel()
  evidence.active = self.active
  return ops, evidence
end

function Loaded:stop()
  self.ended = true
  for _, task in ipairs(self.load) do self.scheduler.join(task) end
end

run("cancel-loaded", { n = 1, k = 1 }, function(program)
  program:repeated(Loaded.cancel, function() return prepare(program, program.values.k) end, Loaded.stop)
end)
