require "socket"
require "../harness/program"

private def put(socket : UNIXSocket) : Nil
  socket.write_byte(120_u8)
end

private def take(socket : UNIXSocket) : Int64
  socket.read_byte || raise "the other side is gone"
  1_i64
end

private def ask(socket : UNIXSocket, m : Int64) : Int64
  received = 0_i64
  while received < m
    put(socket)
    received += take(socket)
  end
  received
end

private def answer(socket : UNIXSocket, m : Int64) : Int64
  received = 0_i64
  while received < m
    received += take(socket)
    put(socket)
  end
  received
end

# Two fibers pass a byte to and fro over a pair of Unix stream sockets.
private def alternate(program : Program, pair : {UNIXSocket, UNIXSocket}, m : Int64)
  results = Channel(Int64).new(2)
  Program.start(program, 0_i64) { results.send(ask(pair[0], m)) }
  Program.start(program, 1_i64) { results.send(answer(pair[1], m)) }
  finished = messages = 0_i64
  2.times do
    messages += results.receive
    finished += 1
  end
  {messages // 2, {finished: finished, messages: messages}}
end

Program.run("io-switch", {m: 1_i64}) do |program|
  pair = UNIXSocket.pair
  program.repeat { alternate(program, pair, program["m"]) }
end
