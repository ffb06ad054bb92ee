## Lets k tasks yield m times each, by a sleep of no time.

import std/json
import ../harness/program

type Watcher = ref object
  last, switches: int

proc body(program: Program, i, first, m: int, watcher: Watcher): Future[int] {.async.} =
  ## How often it was resumed, counted from the nonce on. Without trace=1 or count=1, which are never timed, nothing watches it.
  let unit = if program.traced: program.newUnit else: ""
  await yieldNow()
  result = first
  while result < first + m:
    await yieldNow()
    inc result
    if watcher != nil:
      program.record("run", i, unit)
      if watcher.last != i: inc watcher.switches
      watcher.last = i
  program.record("done", i, unit)

proc switch(program: Program, k, m: int): Future[Outcome] {.async.} =
  let (first, counted) = (program.nonce, program["count"] == 1)
  let watcher = if counted or program.traced: Watcher(last: -1) else: nil
  var tasks = newSeqOfCap[Future[int]](k)
  for i in 0 ..< k: tasks.add(program.start(i, "main", body(program, i, first, m, watcher)))
  var finished, checksum = 0
  for task in tasks:
    checksum += await task
    inc finished
  let resumes = checksum - k * first
  let evidence = %*{"finished": finished, "resumes": resumes, "checksum": checksum}
  if counted: evidence["true_switches"] = %watcher.switches
  return (resumes, evidence)

run("switch", @{"k": atLeast(1), "m": atLeast(1)}, proc (program: Program) {.async.} =
  program.repeat(await switch(program, program["k"], program["m"])), @["count"])
