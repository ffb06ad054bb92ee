-- Each test is a function that raises where something is not as it should be; all are run.
package.path = "harness/?.lua;" .. package.path
local arguments = require("arguments")
local json = require("json")

local function same(expected, actual)
  if expected ~= actual then error(("expected %s, got %s"):format(expected, actual), 2) end
end

local RULES = { n = 1, phase = { "base", "spawn" } }

local function parse(words)
  local list = {}
  for word in words:gmatch("%S+") do list[#list + 1] = word end
  return arguments.parse(list, RULES, { "count" })
end

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Status and output of a program, errors included.
local function program(file, words, input)
  local command = "printf %s %s | COROBENCH_RUNTIME=test LUA_PATH='harness/?.lua;coroutine/adapter/?.lua' %s %s %s 2>&1; echo status $?"
  local lua = arg[-1]
  local pipe = io.popen(command:format("%b", quote(input or ""), quote(lua), file, words or ""))
  local output = pipe:read("a")
  pipe:close()
  local said, status = output:match("^(.*)status (%d+)\n$")
  return tonumber(status), said
end

local function count(said, kind)
  return select(2, said:gsub('"type":"' .. kind .. '"', ""))
end

-- The samples of a program's one series.
local function series(said)
  local values = {}
  for value in said:match('"values":%[([%d,]*)%]'):gmatch("%d+") do values[#values + 1] = tonumber(value) end
  return values
end

local function contains(said, text)
  if not said:find(text, 1, true) then error(("%q is not in %q"):format(text, said), 2) end
end

-- A scheduler of its own, so that nothing is left of another test's.
local function new_scheduler()
  return assert(loadfile("harness/scheduler.lua"))()
end

local tests = {
  ["values and defaults"] = function()
    local values, params = parse("phase=spawn n=7")
    local harness = ("%d %d %d"):format(values.iterations, values.trace, values.nonce)
    same("spawn 7 1 0 0 nil", ("%s %d %s %s"):format(values.phase, values.n, harness, values.count))
    same(nil, params.iterations)
    same(1, parse("n=7 phase=base count=1").count)
  end,
  ["wrong command lines are refused"] = function()
    for words, message in pairs({
      ["nonce=-1"] = "nonce=-1 must be an integer of at least 0",
      ["phase=base"] = "n is missing",
      ["n"] = '"n" is not key=value',
      ["n=1 n=2"] = "n is given twice",
      ["m=1"] = "unknown key m",
      ["n=0"] = "n=0 must be an integer of at least 1",
      ["n=1.5"] = "n=1.5 must be an integer of at least 1",
      ["trace=2"] = "trace=2 must be 0 or 1",
      ["phase=x"] = "phase=x must be one of base, spawn",
    }) do
      local fine, failure = pcall(parse, words)
      same(false, fine)
      same(message, failure.usage)
    end
  end,
  ["JSON is escaped and nested"] = function()
    local line = { text = 'a"\\\n', list = { 1, true }, none = setmetatable({}, json.array), nested = { n = 0 } }
    same([[{"list":[1,true],"nested":{"n":0},"none":[],"text":"a\"\\\u000a"}]], json.encode(line))
  end,
  ["tasks take turns"] = function()
    local scheduler, log = new_scheduler(), {}
    local function body(name)
      return function()
        for turn = 1, 2 do
          log[#log + 1] = name .. turn
          scheduler.pass()
        end
      end
    end
    scheduler.run(function()
      local one, other = scheduler.start(body("a")), scheduler.start(body("b"))
      scheduler.join(one)
      scheduler.join(other)
    end)
    same("a1 b1 a2 b2", table.concat(log, " "))
  end,
  ["tasks that wait for each other are told of"] = function()
    local fine, failure = pcall(new_scheduler().run, coroutine.yield)
    same(false, fine)
    same("every coroutine waits for another", failure)
  end,
  ["a ring waits before the token is sent"] = function()
    local scheduler, players = require("scheduler"), require("players")
    local program = { scheduler = scheduler, nonce = function() return 7 end }
    function program.start_resuming(_, _, body) return scheduler.start(body) end
    scheduler.run(function()
      local ring = players.prepare(program, 3, 2, players.play)
      for i = 0, 2 do same("thread", type(ring.boxes[i].waiter)) end
      local messages, evidence = players.pass(program, ring)
      same("6 3 13", ("%d %d %d"):format(messages, evidence.finished, evidence.checksum))
    end)
  end,
  ["a program iterates as often as asked"] = function()
    local status, said = program("coroutine/spawn.lua", "n=10 iterations=7")
    same(0, status)
    same(7, count(said, "iteration"))
    contains(said, '"evidence":{"checksum":45,"created":10,"finished":10}')
  end,
  ["results contain the nonce, which rises by one with each iteration"] = function()
    local function tasks(first) return 10 * first + 45 end
    local function yields(first) return 3 * (first + 10) end
    for file, case in pairs({
      baseline = { "n=10", tasks },
      spawn = { "n=10", tasks },
      ["spawn-chain"] = { "n=10", tasks },
      tree = { "n=10", tasks },
      ["fan-in"] = { "p=2 m=5", function(first) return 5 * (2 * first + 3) end },
      ["hand-off"] = { "m=5", function(first) return first + 10 end },
      ["limit/hand-off"] = { "m=5", function(first) return first + 10 end },
      ring = { "k=3 rounds=5", function(first) return first + 15 end },
      switch = { "k=3 m=10", yields },
      ["limit/switch"] = { "k=3 m=10", yields },
      ["sleep-zero"] = { "k=3 m=10", yields },
      generator = { "n=10", function(first) return first + 10 end },
    }) do
      local words, checksum = table.unpack(case)
      local status, said = program("coroutine/" .. file .. ".lua", words .. " nonce=1000000 iterations=3")
      same(0, status)
      local sums = {}
      for sum in said:gmatch('"checksum":(%d+)') do sums[#sums + 1] = sum end
      same(("%d %d %d"):format(checksum(1000000), checksum(1000001), checksum(1000002)), table.concat(sums, " "))
    end
  end,
  ["tasks are numbered from the nonce on, in a trace as well"] = function()
    for file, first in pairs({ spawn = 1000000, ["spawn-chain"] = 1000000, tree = 0 }) do
      local _, said = program("coroutine/" .. file .. ".lua", "n=1 nonce=1000000 trace=1")
      contains(said, ('["run",%d,'):format(first))
      contains(said, ('["done",%d,'):format(first))
    end
  end,
  ["by hand the same is done"] = function()
    local _, passed = program("coroutine/limit/hand-off.lua", "m=10 iterations=2")
    contains(passed, '"evidence":{"checksum":20,"finished":2,"messages":20}')
    local _, yielded = program("coroutine/limit/switch.lua", "k=3 m=10 iterations=2 count=1")
    contains(yielded, '"evidence":{"checksum":30,"finished":3,"resumes":30,"true_switches":30}')
  end,
  ["a byte goes to and fro"] = function()
    local status, said = program("coroutine/io-switch.lua", "m=20 iterations=3")
    same(0, status)
    same(3, count(said, "iteration"))
    contains(said, '"evidence":{"finished":2,"messages":40}')
  end,
  ["a task that is cancelled cleans up, and is joined"] = function()
    local status, said = program("coroutine/cancel.lua", "n=10 iterations=3", "\\n\\n")
    same(0, status)
    same(2, count(said, "hold"))
    same(3, count(said, "iteration"))
    contains(said, '"evidence":{"cancelled":10,"created":10,"finished":10}')
  end,
  ["tasks are cancelled while others yield"] = function()
    local status, said = program("coroutine/cancel-loaded.lua", "n=10 k=3 iterations=3")
    same(0, status)
    same(3, select(2, said:gsub('"evidence":{"active":3,"cancelled":10,"created":10,"finished":10}', "")))
  end,
  ["each message comes to one consumer"] = function()
    local status, said = program("coroutine/channel.lua", "p=3 c=4 b=2 m=10 nonce=1000000")
    same(0, status)
    local most = tonumber(said:match('"evidence":{"checksum":30000435,"finished":7,"messages":30,"most":(%d+)}'))
    same(true, most >= 8 and most <= 30)
  end,
  ["every task of every burst tells when it first ran"] = function()
    local status, said = program("coroutine/burst.lua", "n=10 bursts=3 idle_ms=1 nonce=1000000")
    same(0, status)
    contains(said, '"evidence":{"checksum":30000435,"created":30,"finished":30,"last_ns":')
    local starts, last = series(said), 0
    same(30, #starts)
    for burst = 0, 2 do last = last + math.max(table.unpack(starts, 10 * burst + 1, 10 * burst + 10)) end
    same(last, tonumber(said:match('"last_ns":(%d+)')))
  end,
  ["every tick is taken while others yield"] = function()
    local status, said = program("coroutine/ticker.lua", "k=3 ticks=50 period_us=1")
    same(0, status)
    contains(said, '"evidence":{"active":3,"finished":4,"yields":')
    contains(said, '"ops":50')
    same(50, #series(said))
  end,
  ["a program never iterates more than 10,000 times"] = function()
    same(10000, count(select(2, program("coroutine/baseline.lua", "n=1 min_warm_ms=600000")), "iteration"))
  end,
  ["memory holds at every point"] = function()
    local status, said = program("coroutine/memory.lua", "n=30 nonce=1000000", "\\n\\n\\n\\n\\n")
    same(0, status)
    contains(said, '"checksum":30000435')
    same(5, count(said, "hold"))
    local ended, complaint = program("coroutine/memory.lua", "n=30")
    same(1, ended)
    contains(complaint, "stdin ended at the hold base")
  end,
  ["sleeping tasks are held when all of them sleep, and tell how late they woke"] = function()
    local status, said = program("coroutine/fizzbuzz-sleep.lua", "n=20 m=2 sleep_ms=20", "\\n\\n")
    same(0, status)
    contains(said, '{"point":"live","type":"hold","units":20}')
    contains(said, '"finished":20,"most_alive":20,"steps":40')
    same(1, count(said, "series"))
  end,
  ["a start says nothing unless asked"] = function()
    local status, said = program("coroutine/startup.lua", "mode=first-task")
    same("0 ", status .. " " .. said)
  end,
  ["a wrong command line ends with 2"] = function()
    local status, said = program("coroutine/spawn.lua")
    same("2 usage: n is missing\n", status .. " " .. said)
    same(2, (program("coroutine/spawn.lua", "n=1 nonce=1.5")))
  end,
  ["a task that fails ends with 1"] = function()
    local status, said = program("test/failing.lua")
    same(1, status)
    contains(said, "planted")
    same(0, count(said, "end"))
  end,
}

local failed, all = 0, 0
for name, test in pairs(tests) do
  all = all + 1
  local fine, problem = pcall(test)
  if not fine then
    failed = failed + 1
    io.stderr:write("FAILED ", name, ": ", tostring(problem), "\n")
  end
end
print(("%d tests, %d failed"):format(all, failed))
os.exit(failed == 0)
