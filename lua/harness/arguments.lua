-- Reads key=value words against rules, and names precisely what is wrong with them.
local arguments = {}

-- The least value and the default of the keys that every workload understands.
local SHARED = { iterations = { 1, 1 }, min_warm_ms = { 0, 0 }, trace = { 0, 0 }, nonce = { 0, 0 } }

-- Raised for a wrong command line.
local function usage(format, ...)
  error({ usage = format:format(...) }, 0)
end
arguments.usage = usage

-- What is longer is no integer to every Lua: LuaJIT's numbers are doubles.
local MOST_DIGITS = 15

local function integer(key, text, least, flag)
  local value = text:match("^%d+$") and #text <= MOST_DIGITS and tonumber(text)
  if not value or value < least then usage("%s=%s must be an integer of at least %d", key, text, least) end
  if flag and value > 1 then usage("%s=%s must be 0 or 1", key, text) end
  return value
end

local function word(key, text, known)
  for _, other in ipairs(known) do
    if text == other then return text end
  end
  return usage("%s=%s must be one of %s", key, text, table.concat(known, ", "))
end

-- A rule is the least value of an integer, or a list of words; flags are keys that may be left out.
-- Returns the values of all keys, and those of the rules alone.
function arguments.parse(words, rules, flags)
  local is_flag = { trace = true }
  for _, key in ipairs(flags or {}) do is_flag[key] = true end
  local values, params = {}, {}
  for _, given in ipairs(words) do
    local key, text = given:match("^([^=]*)=(.*)$")
    if not key then usage("%q is not key=value", given) end
    if values[key] then usage("%s is given twice", key) end
    local rule = rules[key] or SHARED[key] and SHARED[key][1] or is_flag[key] and 0
    if not rule then usage("unknown key %s", key) end
    values[key] = type(rule) == "table" and word(key, text, rule) or integer(key, text, rule, is_flag[key])
  end
  for key in pairs(rules) do
    if not values[key] then usage("%s is missing", key) end
    params[key] = values[key]
  end
  for key, rule in pairs(SHARED) do values[key] = values[key] or rule[2] end
  return values, params
end

return arguments
