## k tasks, each waiting for a future, pass a token round.

import ../harness/[players, program]

run("ring", @{"k": atLeast(1), "rounds": atLeast(1)}, proc (program: Program) {.async.} =
  program.repeatPrepared(ring, await prepare(program, program["k"], program["rounds"]), await pass(program, ring)))
