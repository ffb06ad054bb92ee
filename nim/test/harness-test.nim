## The harness, and the programs as processes, which lie in PROGRAMS.

import std/[json, os, osproc, sequtils, strutils, tables, unittest]
import ../harness/arguments

const rules = @{"n": atLeast(1), "phase": oneOf("base", "spawn")}

proc parsed(words: string): Table[string, string] = parse(words.split(' '), rules, @["count"])

proc program(words: string, input = ""): (int, string) =
  ## Status and output, errors included.
  let (output, status) = execCmdEx(getEnv("PROGRAMS") & "/" & words, input = input)
  (status, output)

proc lines(said, kind: string): seq[JsonNode] =
  said.splitLines.filterIt(it.startsWith("{")).mapIt(it.parseJson).filterIt(it["type"].getStr == kind)

proc evidence(said, name: string): seq[int] = said.lines("iteration").mapIt(it["evidence"][name].getInt)

putEnv("COROBENCH_RUNTIME", "test")

suite "arguments":
  test "values and defaults":
    let values = parsed("phase=spawn n=7")
    check values == {"phase": "spawn", "n": "7", "iterations": "1", "min_warm_ms": "0", "trace": "0", "nonce": "0", "count": "0"}.toTable
    check parsed("n=7 phase=base count=1")["count"] == "1"

  test "wrong command lines are refused":
    for (words, message) in {
      "nonce=-1": "nonce=-1 must be an integer of at least 0",
      "phase=base": "n is missing",
      "n": "\"n\" is not key=value",
      "n=1 n=2": "n is given twice",
      "m=1": "unknown key m",
      "n=0": "n=0 must be an integer of at least 1",
      "n=1.5": "n=1.5 must be an integer of at least 1",
      "trace=2": "trace=2 must be 0 or 1",
      "phase=x": "phase=x must be one of base, spawn",
    }:
      try:
        discard parsed(words)
        checkpoint(words & " is taken")
        fail()
      except Usage as error: check error.msg == message

suite "programs":
  test "they iterate as often as asked":
    let (status, said) = program("spawn n=10 iterations=7")
    check status == 0
    check said.evidence("created") == newSeqWith(7, 10)

  test "results contain the nonce, which rises by one with each iteration":
    for (words, factor, more) in {
      "baseline n=10": (10, 45), "spawn n=10": (10, 45), "spawn-chain n=10": (10, 45), "tree n=10": (10, 45),
      "hand-off m=5": (1, 10), "ring k=3 rounds=5": (1, 15), "switch k=3 m=10": (3, 30),
    }.mapIt((it[0], it[1][0], it[1][1])):
      let (_, said) = program(words & " nonce=1000000 iterations=3")
      check said.evidence("checksum") == (0 .. 2).mapIt(factor * (1_000_000 + it) + more)

  test "tasks are numbered from the nonce on, in a trace as well":
    for (name, first) in {"spawn": 1_000_000, "spawn-chain": 1_000_000, "tree": 0}:
      let (_, said) = program(name & " n=1 nonce=1000000 trace=1")
      check said.lines("trace")[0]["events"].filterIt(it[0].getStr == "run")[0][1].getInt == first

  test "a byte goes to and fro":
    check program("io-switch m=20 iterations=3")[1].evidence("messages") == @[40, 40, 40]

  test "a task that is cancelled cleans up, and is joined":
    let (_, said) = program("cancel n=10 iterations=3", "\n\n")
    check said.evidence("cancelled") == @[10, 10, 10]
    check said.evidence("finished") == @[10, 10, 10]

  test "a program never iterates more than 10,000 times":
    check program("baseline n=1 min_warm_ms=600000")[1].lines("iteration").len == 10_000

  test "memory holds at every point, and ends with its runner":
    let (_, said) = program("memory-state n=30 nonce=1000000", "\n\n\n\n\n")
    check said.lines("hold").mapIt(it["units"].getInt) == @[0, 30, 30, 0, 0]
    check said.evidence("checksum") == @[30_000_435]
    let (status, complaint) = program("memory n=30")
    check status == 1
    check "stdin ended at the hold base" in complaint

  test "a start says nothing unless asked":
    for mode in ["bare", "first-task"]: check program("startup mode=" & mode) == (0, "")

  test "a wrong command line ends with 2":
    check program("spawn") == (2, "usage: n is missing\n")

  test "a task that fails ends with 1":
    let (status, said) = program("failing")
    check status == 1
    check "planted" in said
    check said.lines("end").len == 0
