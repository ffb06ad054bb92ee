## Starts n tasks, then collects and sums what they return.

import std/json
import ../harness/program

proc body(program: Program, i: int): Future[int] {.async.} =
  program.watched(i): result = i

proc spawn(program: Program, n: int): Future[Outcome] {.async.} =
  let first = program.nonce
  var tasks = newSeqOfCap[Future[int]](n)
  for i in first ..< first + n: tasks.add(program.start(i, "main", body(program, i)))
  let created = tasks.len
  var finished, checksum = 0
  for task in tasks:
    let value = await task
    program.record("collect", value, "main")
    checksum += value
    inc finished
  return (finished, %*{"created": created, "finished": finished, "checksum": checksum})

run("spawn", @{"n": atLeast(1)}, proc (program: Program) {.async.} =
  program.repeat(await spawn(program, program["n"])))
