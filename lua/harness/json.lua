-- Writes JSON: the language has no library for it.
local json = {}

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\" }

local function string_of(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ESCAPES[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- Lists are arrays, as are tables with the metatable below; other tables are objects, their names in order.
function json.encode(value)
  if type(value) == "string" then return string_of(value) end
  if type(value) == "number" then return ("%d"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts, list = {}, #value > 0 or getmetatable(value) == json.array
  if list then
    for i, item in ipairs(value) do parts[i] = json.encode(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for name, item in pairs(value) do parts[#parts + 1] = string_of(name) .. ":" .. json.encode(item) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- The metatable of a list that may be empty.
json.array = {}

return json
