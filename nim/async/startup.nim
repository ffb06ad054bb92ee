## The smallest process, or one task.

import std/[json, os]
import ../harness/program

proc firstTask(): Future[int] {.async.} =
  await yieldNow()
  return 1

proc perform(program: Program): Future[Outcome] {.async.} =
  let finished = if program.word("mode") == "bare": 0 else: await firstTask()
  return (1, %*{"finished": finished})

let words = commandLineParams()
if words == @["mode=first-task"]: quit(if waitFor(firstTask()) == 1: 0 else: 1)
elif words != @["mode=bare"]:
  run("startup", @{"mode": oneOf("bare", "first-task")}, proc (program: Program) {.async.} =
    discard program.lap(await perform(program)), @["report"])
