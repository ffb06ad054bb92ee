# frozen_string_literal: true

require_relative "parking"

DEPTH = 8
SIZE = 1024
VALUES = 251

def descend(i, gate, level)
  return descend(i, gate, level + 1) if level < DEPTH

  state = (i % VALUES).chr * SIZE
  gate.wait(i)
  i - (i % VALUES) + state.getbyte(-1)
end

# Parks n tasks, each eight calls deep with 1 KiB of its own.
Parking.run("memory-state") { |i, gate| descend(i, gate, 1) }
