## n parked tasks are cancelled, clean up behind finally, and are joined. A future can't be cancelled: each task waits for the gate or for
## a future of its own, whichever is completed first.

import std/json
import ../harness/program

type Crowd = ref object
  program: Program
  gate: Future[void]
  stops: seq[Future[void]]
  tasks: seq[Future[bool]]
  cleaned: int

proc park(crowd: Crowd, i: int, stop: Future[void]): Future[bool] {.async.} =
  ## Whether it was cancelled.
  let program = crowd.program
  program.watched(i):
    try:
      program.record("park", i, unit)
      await crowd.gate or stop
      result = stop.finished
    finally:
      inc crowd.cleaned

proc gather(program: Program): Future[Crowd] {.async.} =
  let crowd = Crowd(program: program, gate: newFuture[void]("gate"))
  for i in 0 ..< program["n"]:
    let stop = newFuture[void]("stop")
    crowd.stops.add(stop)
    crowd.tasks.add(program.start(i, "main", crowd.park(i, stop)))
  # After one turn they wait, and in another one those that only gave way go on.
  await yieldNow()
  await yieldNow()
  return crowd

proc cancel(crowd: Crowd): Future[Outcome] {.async.} =
  let waited = crowd.tasks.len - crowd.cleaned
  for stop in crowd.stops: stop.complete()
  var finished = 0
  for task in crowd.tasks:
    if not await task: raise newException(ValueError, "a task ran past its wait")
    crowd.program.record("collect", finished, "main")
    inc finished
  return (finished, %*{"created": waited, "cancelled": crowd.cleaned, "finished": finished})

run("cancel", @{"n": atLeast(1)}, proc (program: Program) {.async.} =
  program.hold("base", 0)
  program.repeatPrepared(crowd, await gather(program), await cancel(crowd))
  program.hold("released", 0))
