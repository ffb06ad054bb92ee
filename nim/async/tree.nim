## A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf.

import std/[json, sequtils, strutils]
import ../harness/program

const children = 10

type Part = (int, int) ## how many tasks were joined in a task, itself included, and the sum of its leaves

proc node(program: Program, number, first, leaves: int): Future[Part] {.async.} =
  program.watched(number):
    if leaves == 1: result = (1, first)
    else:
      let share = leaves div children
      var started: seq[Future[Part]]
      for i in 0 ..< children:
        let next = program.nextNumber
        started.add(program.start(next, unit, node(program, next, first + i * share, share)))
      result = (1, 0)
      for child in started:
        let (tasks, sum) = await child
        result[0] += tasks
        result[1] += sum

proc grow(program: Program, n: int): Future[Outcome] {.async.} =
  let number = program.nextNumber
  let (tasks, sum) = await program.start(number, "main", node(program, number, program.nonce, n))
  return (tasks, %*{"finished": tasks, "checksum": sum})

run("tree", @{"n": atLeast(1)}, proc (program: Program) {.async.} =
  let n = program.word("n")
  if n[0] != '1' or not n[1 .. ^1].allIt(it == '0'): usage("n=" & n & " must be a power of ten")
  program.repeat(await grow(program, n.parseInt)))
