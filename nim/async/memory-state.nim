## Parks n tasks, each eight calls deep with 1 KiB of its own.

import ../harness/[parking, program]

const (depth, size, values) = (8, 1024, 251)

proc descend(gate: Gate, i, level: int, unit: string): Future[int] {.async.} =
  if level < depth: return await descend(gate, i, level + 1, unit)
  var state: array[size, uint8]
  for at in 0 ..< size: state[at] = uint8(i mod values)
  gate.wait(i, unit)
  return i - i mod values + state[size - 1].int

proc body(gate: Gate, i: int): Future[int] {.async.} =
  gate.program.watched(i): result = await descend(gate, i, 1, unit)

measure("memory-state", body)
