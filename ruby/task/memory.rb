# frozen_string_literal: true

require_relative "parking"

# Parks n tasks that hold nothing but their number.
Parking.run("memory") do |i, gate|
  gate.wait(i)
  i
end
