require "../harness/program"

# Sends m messages, the first of this number; how many it sent.
private def produce(program : Program, i : Int64, queue : Channel(Int64), first : Int64, m : Int64) : Int64
  sent = 0_i64
  while sent < m
    queue.send(first + sent)
    program.record("run", i)
    sent += 1
  end
  sent
end

# How many messages came until the channel was closed, and their sum.
private def consume(program : Program, i : Int64, queue : Channel(Int64)) : {Int64, Int64}
  messages = sum = 0_i64
  while message = queue.receive?
    program.record("run", i)
    messages += 1
    sum += message
  end
  {messages, sum}
end

# p producers send m messages each to c consumers through one channel with room for b.
private def pass(program : Program, p : Int64, c : Int64, b : Int64, m : Int64)
  queue = Channel(Int64).new(b.to_i)
  sent, received = Channel(Int64).new(p.to_i), Channel({Int64, Int64}).new(c.to_i)
  first = program.nonce
  p.times do |i|
    Program.start(program, i) { sent.send(produce(program, i, queue, first + i * m, m)) }
  end
  (p...p + c).each do |i|
    Program.start(program, i) { received.send(consume(program, i, queue)) }
  end
  finished = messages = most = checksum = 0_i64
  p.times { finished += 1 if sent.receive == m }
  queue.close
  c.times do
    count, sum = received.receive
    finished += 1
    messages += count
    most = Math.max(most, count)
    checksum += sum
  end
  {messages, {finished: finished, messages: messages, most: most, checksum: checksum}}
end

Program.run("channel", {p: 1_i64, c: 1_i64, b: 1_i64, m: 1_i64}) do |program|
  program.repeat { pass(program, program["p"], program["c"], program["b"], program["m"]) }
end
