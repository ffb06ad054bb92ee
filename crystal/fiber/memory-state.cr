require "../harness/gate"

# Parks n fibers, each eight calls deep with 1 KiB of its own on its stack.
private DEPTH  =    8
private SIZE   = 1024
private VALUES =  251

@[NoInline]
private def descend(i : Int64, gate : Gate, level : Int32) : Int64
  return carry(i, gate) if level == DEPTH
  descend(i, gate, level + 1) &+ 0
end

@[NoInline]
private def carry(i : Int64, gate : Gate) : Int64
  state = uninitialized UInt8[SIZE]
  state.to_slice.fill((i % VALUES).to_u8)
  gate.wait(i)
  i - i % VALUES + state[SIZE - 1]
end

Gate.measure("memory-state") { |i| descend(i, gate, 1) }
