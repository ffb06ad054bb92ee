## n tasks sleep once, each until a deadline of its own within one second.

import std/json
import ../harness/program

const spread = 1_000_000_000

proc sleeper(program: Program, i, deadline: int): Future[(int, int)] {.async.} =
  ## Its number, and how many nanoseconds late it woke. A sleep is a whole number of milliseconds: rounded up.
  program.watched(i):
    await sleepAsync((max(0, deadline - clock()) + ms - 1) div ms)
    result = (i, clock() - deadline)

proc sleepAll(program: Program, n: int, lateness: ref seq[int]): Future[Outcome] {.async.} =
  let start = clock() + program["lead"] * ms
  var tasks: seq[Future[(int, int)]]
  for i in 0 ..< n: tasks.add(program.start(i, "main", sleeper(program, i, start + i * spread div n)))
  let created = tasks.len
  var finished, checksum, early = 0
  for task in tasks:
    let (number, late) = await task
    if late < -ms: inc early
    lateness[].add(max(0, late))
    checksum += number
    inc finished
  return (finished, %*{"created": created, "finished": finished, "checksum": checksum, "early": early})

run("timers", @{"n": atLeast(1), "lead": atLeast(0)}, proc (program: Program) {.async.} =
  let lateness = new seq[int]
  discard program.lap(await sleepAll(program, program["n"], lateness))
  program.series("lateness", lateness[]))
