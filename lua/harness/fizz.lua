-- One step of fizzbuzz: what its text is worth.
local function fizzbuzz(value)
  if value % 15 == 0 then return "FizzBuzz" end
  if value % 3 == 0 then return "Fizz" end
  if value % 5 == 0 then return "Buzz" end
  return tostring(value)
end

return function(value)
  local text = fizzbuzz(value)
  return 31 * #text + text:byte(1)
end
