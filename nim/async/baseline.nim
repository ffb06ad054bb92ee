## Calls a plain function n times and sums what it returns: the language without tasks.

import std/json
import ../harness/program

proc body(i: int): int {.noinline.} = i

proc call(first, n: int): Outcome =
  var finished, checksum = 0
  for i in first ..< first + n:
    checksum += body(i)
    inc finished
  (finished, %*{"finished": finished, "checksum": checksum})

run("baseline", @{"n": atLeast(1)}, proc (program: Program) {.async.} =
  program.repeat(call(program.nonce, program["n"])))
