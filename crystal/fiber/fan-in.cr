require "../harness/program"

private ROOM = 128

# How many messages came, and their sum.
private def consume(queue : Channel(Int64), messages : Int64) : {Int64, Int64}
  received = sum = 0_i64
  while received < messages
    sum += queue.receive
    received += 1
  end
  {received, sum}
end

# p producers send m messages each to one consumer through one bounded channel.
private def gather(program : Program, p : Int64, m : Int64)
  queue = Channel(Int64).new(ROOM)
  ended, consumed = Channel(Nil).new(p.to_i), Channel({Int64, Int64}).new(1)
  first = program.nonce + 1
  p.times do |i|
    Program.start(program, i) do
      m.times { queue.send(first + i) }
      ended.send(nil)
    end
  end
  Program.start(program, p) { consumed.send(consume(queue, p * m)) }
  finished = 0_i64
  p.times do
    ended.receive
    finished += 1
  end
  messages, checksum = consumed.receive
  {messages, {finished: finished + 1, messages: messages, checksum: checksum}}
end

Program.run("fan-in", {p: 1_i64, m: 1_i64}) do |program|
  program.repeat { gather(program, program["p"], program["m"]) }
end
