## Two tasks pass a token to and fro, m times each, by futures.

import ../harness/[players, program]

run("hand-off", @{"m": atLeast(1)}, proc (program: Program) {.async.} =
  program.repeatPrepared(ring, await prepare(program, 2, program["m"]), await pass(program, ring)))
