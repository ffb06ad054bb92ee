require "../harness/gate"

# Parks n fibers that hold nothing but their number.
private def wait(i : Int64, gate : Gate) : Int64
  gate.wait(i)
  i
end

Gate.measure("memory") { |i| wait(i, gate) }
