## A planted fault: a task that nobody joins fails while the root waits.

import ../harness/program

proc body(program: Program, i: int): Future[void] {.async.} =
  program.watched(i): raise newException(ValueError, "planted")

run("failing", @[], proc (program: Program) {.async.} =
  asyncCheck program.start(0, "main", body(program, 0))
  await yieldNow()
  await yieldNow())
