-- Compiles every file, and reads from the compiler's listing which globals it names: none may be set, and only those of the language read.
-- What LuaJIT runs too must be Lua 5.1: no attributes, and no division that rounds.
local failed = false

local function complain(...)
  io.stderr:write(string.format(...), "\n")
  failed = true
end

-- The compiler goes by either name.
local function luac()
  for _, name in ipairs({ "luac5.4", "luac" }) do
    if os.execute("command -v " .. name .. " > /dev/null") then return name end
  end
  error("no luac on PATH")
end

-- Of LuaJIT's own, what it has beside Lua.
local KNOWN = setmetatable({ jit = true }, { __index = _G })

local function older(file)
  return file:match("^harness/") or file:match("^luajit/") or file:match("^coroutine/[%w-]+%.lua$")
end

local compiler = luac()
for file in io.popen("ls harness/*.lua coroutine/*.lua coroutine/limit/*.lua */adapter/*.lua test/*.lua"):lines() do
  for line in io.lines(file) do
    local newer = line:match("<const>") or line:match("<close>") or line:match(" // ")
    if newer and older(file) then complain("%s: %s is no Lua 5.1", file, newer) end
  end
  local listing = io.popen(("%s -l -l -p %s 2>&1"):format(compiler, file))
  for line in listing:lines() do
    local act, name = line:match("([GS]ETTABUP).*_ENV \"([%w_]+)\"")
    if act == "SETTABUP" then complain("%s: sets the global %s", file, name) end
    if act == "GETTABUP" and KNOWN[name] == nil then complain("%s: reads the global %s", file, name) end
  end
  if not listing:close() then complain("%s does not compile", file) end
end
os.exit(not failed)
