## Parks n tasks at one gate and holds the process still before, while and after they live.

import std/json
import program

type Gate* = ref object
  program*: Program
  parked*: int
  opened*: Future[void]

template wait*(gate: Gate, i: int, unit: string) =
  ## Parks task i until the gate is opened. An async procedure would cost each task a second future.
  gate.program.record("park", i, unit)
  inc gate.parked
  await gate.opened
  dec gate.parked

proc live(gate: Gate, body: proc (gate: Gate, i: int): Future[int]): Future[Outcome] {.async.} =
  ## The tasks are gone, handles and all, when it returns what they added up to.
  let (program, first) = (gate.program, gate.program.nonce)
  var tasks: seq[Future[int]]
  for i in first ..< first + program["n"]: tasks.add(program.start(i, "main", body(gate, i)))
  let created = tasks.len
  await yieldNow()
  program.holdTwice("live", gate.parked)
  gate.opened.complete()
  var finished, checksum = 0
  for task in tasks:
    checksum += await task
    inc finished
  return (finished, %*{"created": created, "finished": finished, "checksum": checksum})

proc whole(program: Program, body: proc (gate: Gate, i: int): Future[int]): Future[Outcome] {.async.} =
  program.hold("base", 0)
  let gate = Gate(program: program, opened: newFuture[void]("gate"))
  result = await gate.live(body)
  program.holdTwice("released", gate.parked)

proc measure*(workload: string, body: proc (gate: Gate, i: int): Future[int]) =
  ## The whole program of a memory workload: a body gets the gate and its number, waits there once, and returns the number.
  run(workload, @{"n": atLeast(1)}, proc (program: Program) {.async.} =
    discard program.lap(await whole(program, body)))
