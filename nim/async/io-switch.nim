## Two tasks pass a byte to and fro over a pair of Unix stream sockets.

import std/[json, nativesockets, os, posix]
import ../harness/program

proc pair(): (AsyncFD, AsyncFD) =
  var ends: array[2, cint]
  if socketpair(posix.AF_UNIX, posix.SOCK_STREAM, 0, ends) != 0: raiseOSError(osLastError())
  for one in ends:
    one.SocketHandle.setBlocking(false)
    one.AsyncFD.register()
  (ends[0].AsyncFD, ends[1].AsyncFD)

proc take(socket: AsyncFD): Future[int] {.async.} =
  result = (await socket.recv(1)).len
  if result == 0: raise newException(IOError, "the other side is gone")

proc ask(program: Program, socket: AsyncFD, m: int): Future[int] {.async.} =
  program.watched(0):
    while result < m:
      await socket.send("x")
      result += await socket.take()

proc answer(program: Program, socket: AsyncFD, m: int): Future[int] {.async.} =
  program.watched(1):
    while result < m:
      result += await socket.take()
      await socket.send("x")

proc alternate(program: Program, ends: (AsyncFD, AsyncFD), m: int): Future[Outcome] {.async.} =
  let tasks = [program.start(0, "main", ask(program, ends[0], m)), program.start(1, "main", answer(program, ends[1], m))]
  var finished, messages = 0
  for task in tasks:
    messages += await task
    inc finished
  return (messages div 2, %*{"finished": finished, "messages": messages})

run("io-switch", @{"m": atLeast(1)}, proc (program: Program) {.async.} =
  let ends = pair()
  program.repeat(await alternate(program, ends, program["m"])))
