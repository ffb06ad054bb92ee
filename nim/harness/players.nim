## The tasks of hand-off and ring. The library has no channel: who waits for a token waits for a future, which the sender completes.

import std/json
import program

type
  Mailbox = ref object
    token: Future[int]
  Ring* = ref object
    boxes: seq[Mailbox]
    tasks: seq[Future[int]]

proc newMailbox(): Mailbox = Mailbox(token: newFuture[int]("token"))

proc play(program: Program, i: int, inbox, outbox: Mailbox, rounds: int): Future[int] {.async.} =
  ## Takes the token, adds one and passes it on; returns how often it had it.
  let unit = if program.traced: program.newUnit else: ""
  await yieldNow()
  while result < rounds:
    let token = await inbox.token
    inbox.token = newFuture[int]("token")
    program.record("run", i, unit)
    inc result
    outbox.token.complete(token + 1)
  program.record("done", i, unit)

proc prepare*(program: Program, k, rounds: int): Future[Ring] {.async.} =
  ## Starts k players, with a mailbox each, at which all of them wait when this returns.
  let ring = Ring()
  for i in 0 ..< k: ring.boxes.add(newMailbox())
  for i in 0 ..< k:
    ring.tasks.add(program.start(i, "main", play(program, i, ring.boxes[i], ring.boxes[(i + 1) mod k], rounds)))
  await yieldNow()
  return ring

proc pass*(program: Program, ring: Ring): Future[Outcome] {.async.} =
  ## Gives the first player the token, joins them all, and takes the token that the last one sent.
  ring.boxes[0].token.complete(program.nonce)
  var finished, messages = 0
  for task in ring.tasks:
    messages += await task
    inc finished
  let token = await ring.boxes[0].token
  return (messages, %*{"finished": finished, "messages": messages, "checksum": token})
