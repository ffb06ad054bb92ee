## One process: its arguments, the lines that it owes the runner, and the loop that times its operation.

import std/[asyncdispatch, json, os, posix, strutils, tables]
import arguments

export arguments, asyncdispatch

const
  ms* = 1_000_000
  mostIterations = 10_000

type
  Program* = ref object
    values: Table[string, string]
    traced*: bool
    events: JsonNode
    lines: seq[JsonNode]
    done: int   ## iterations that are over
    number: int ## of the next task that is numbered as it comes
    units: int
    startNs, startCpu: int
  Outcome* = (int, JsonNode) ## the operations, and the evidence

proc tell(clock: ClockId): int =
  var now: Timespec
  if clock_gettime(clock, now) != 0: raiseOSError(osLastError())
  now.tv_sec.int * 1_000_000_000 + now.tv_nsec

proc clock*(): int = tell(CLOCK_MONOTONIC)

proc cpu(): int = tell(CLOCK_PROCESS_CPUTIME_ID)

proc word*(program: Program, key: string): string = program.values[key]

proc `[]`*(program: Program, key: string): int = program.values[key].parseInt

proc nonce*(program: Program): int =
  ## The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
  program["nonce"] + program.done

proc sayHello(program: Program, workload: string, rules: Rules) =
  let runtime = getEnv("COROBENCH_RUNTIME")
  if runtime == "": usage("COROBENCH_RUNTIME is not set")
  let params = newJObject()
  for (key, rule) in rules:
    params[key] = if rule.words.len > 0: %program.word(key) else: %program[key]
  const collector = when defined(gcRefc) or not (defined(gcArc) or defined(gcOrc)): "refc" else: "orc"
  echo %*{
    "type": "hello", "protocol": 1, "runtime": runtime, "version": NimVersion, "language_version": NimVersion,
    "workload": workload, "params": params,
    "settings": {"release": defined(release), "threads": compileOption("threads"), "gc": collector},
  }

proc record*(program: Program, kind: string, i: int, unit: string) =
  ## Records who runs when, where a trace was asked for. A future has no identity: its body carries a number of its own.
  if program.traced: program.events.add(%*[kind, i, unit])

proc newUnit*(program: Program): string =
  inc program.units
  "task-" & $program.units

proc yieldNow*(): Future[void] =
  ## One cooperative yield: the library has none, and its users sleep for no time.
  sleepAsync(0)

template watched*(program: Program, i: int, body: untyped) =
  ## A task's body, which gives way before it begins: it would run at once, on its starter's stack, up to where it waits.
  await yieldNow()
  let unit {.inject, used.} = if program.traced: program.newUnit else: ""
  program.record("run", i, unit)
  body
  program.record("done", i, unit)

proc nextNumber*(program: Program): int =
  ## Of a task that others than the root start.
  result = program.number
  inc program.number

template start*(program: Program, i: int, spawner: string, call: untyped): untyped =
  ## Starts task i by a call of its body.
  program.record("spawn", i, spawner)
  let task = call
  program.record("spawned", i, spawner)
  task

template lap*(program: Program, operation: untyped): int =
  ## The time that an iteration took, in nanoseconds.
  program.begin()
  let outcome: Outcome = operation
  program.finish(outcome)

proc begin*(program: Program) =
  program.startCpu = cpu()
  program.startNs = clock()

proc finish*(program: Program, outcome: Outcome): int =
  result = clock() - program.startNs
  let cpu = cpu() - program.startCpu
  program.lines.add(%*{"type": "iteration", "index": program.done, "elapsed_ns": result, "cpu_ns": cpu,
                       "ops": outcome[0], "evidence": outcome[1]})
  inc program.done

template repeat*(program: Program, operation: untyped) =
  ## Times the operation until that is enough.
  var warm = 0
  while true:
    let elapsed = program.lap(operation)
    if program.isEnough(warm, elapsed): break

template repeatPrepared*(program: Program, prepared, preparation, operation: untyped) =
  ## The same; what is prepared before each time is not timed.
  var warm = 0
  while true:
    let prepared = preparation
    let elapsed = program.lap(operation)
    if program.isEnough(warm, elapsed): break

proc isEnough*(program: Program, warm: var int, elapsed: int): bool =
  if program.done > 1: warm += elapsed
  program.traced or program.done >= mostIterations or
    program.done >= program["iterations"] and warm >= program["min_warm_ms"] * ms

proc hold*(program: Program, point: string, units: int) =
  ## Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration
  ## that is under way.
  let (startCpu, startNs) = (cpu(), clock())
  program.record("hold", -1, "main")
  echo %*{"type": "hold", "point": point, "units": units}
  stdout.flushFile()
  var line: string
  if not stdin.readLine(line): raise newException(IOError, "stdin ended at the hold " & point & ": the runner is gone")
  program.startNs += clock() - startNs
  program.startCpu += cpu() - startCpu

proc holdTwice*(program: Program, point: string, units: int) =
  ## As it is, and after a forced collection.
  program.hold(point, units)
  GC_fullCollect()
  program.hold(point & "-collected", units)

proc series*(program: Program, name: string, values: seq[int]) =
  ## Raw samples in nanoseconds, in the order in which they happened.
  program.lines.add(%*{"type": "series", "name": name, "values": values})

proc whole(workload: string, rules: Rules, main: proc (program: Program): Future[void], flags: seq[string]) =
  let values = parse(commandLineParams(), rules, flags)
  let program = Program(values: values, traced: values["trace"] == "1", events: newJArray())
  program.sayHello(workload, rules)
  waitFor main(program)
  for line in program.lines: echo line
  if program.traced: echo %*{"type": "trace", "events": program.events}
  echo %*{"type": "end"}

proc run*(workload: string, rules: Rules, main: proc (program: Program): Future[void], flags: seq[string] = @[]) =
  ## Runs a workload to its last line, if it is the one by whose name this process was called; what goes wrong ends the process, with 2
  ## for a wrong command line.
  if workload != paramStr(0).extractFilename: return
  try:
    whole(workload, rules, main, flags)
    quit(0)
  except Usage as error:
    stderr.writeLine("usage: ", error.msg)
    quit(2)
  except CatchableError as error:
    stderr.writeLine(error.msg)
    quit(1)
