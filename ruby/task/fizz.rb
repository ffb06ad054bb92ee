# frozen_string_literal: true

def fizzbuzz(value)
  if (value % 15).zero? then "FizzBuzz"
  elsif (value % 3).zero? then "Fizz"
  elsif (value % 5).zero? then "Buzz"
  else value.to_s
  end
end

# What one step adds to the sum.
def worth(value)
  text = fizzbuzz(value)
  (31 * text.bytesize) + text.getbyte(0)
end
