## Each task starts the next as its last act; the root waits for the last one only.

import std/json
import ../harness/program

type Chain = ref object
  program: Program
  last, finished, checksum: int
  ended: Future[void]

proc link(chain: Chain, i: int): Future[void] {.async.} =
  let program = chain.program
  program.watched(i):
    chain.checksum += i
    inc chain.finished
    if i < chain.last: asyncCheck program.start(i + 1, unit, chain.link(i + 1))
    else: chain.ended.complete()

proc run(program: Program, n: int): Future[Outcome] {.async.} =
  let first = program.nonce
  let chain = Chain(program: program, last: first + n - 1, ended: newFuture[void]("ended"))
  asyncCheck program.start(first, "main", chain.link(first))
  await chain.ended
  return (chain.finished, %*{"finished": chain.finished, "checksum": chain.checksum})

run("spawn-chain", @{"n": atLeast(1)}, proc (program: Program) {.async.} =
  program.repeat(await run(program, program["n"])))
