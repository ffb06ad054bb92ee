## Parks n tasks that hold nothing but their number.

import ../harness/[parking, program]

proc body(gate: Gate, i: int): Future[int] {.async.} =
  gate.program.watched(i):
    gate.wait(i, unit)
    result = i

measure("memory", body)
