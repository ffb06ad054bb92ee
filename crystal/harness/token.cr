require "./program"

# The tasks of hand-off and ring.
module Token
  alias Box = Channel(Int64)

  # Takes the token, adds one and passes it on; returns how often it had it.
  def self.play(program : Program, i : Int64, inbox : Box, outbox : Box, rounds : Int64) : Int64
    received = 0_i64
    while received < rounds
      token = inbox.receive
      program.record("run", i)
      received += 1
      outbox.send(token + 1)
    end
    received
  end

  # Starts k players in a ring, with a channel with room for one each, at which all of them wait when this returns.
  def self.prepare(program : Program, k : Int64, rounds : Int64) : {Box, Channel(Int64)}
    boxes = Array.new(k) { Box.new(1) }
    results = Channel(Int64).new(k.to_i)
    k.times do |i|
      Program.start(program, i, runs: false) do
        results.send(Token.play(program, i, boxes[i], boxes[(i + 1) % k], rounds))
      end
    end
    Fiber.yield
    {boxes[0], results}
  end

  # Gives the first player the token, waits for all of them, and takes the token that the last one sent.
  def self.pass(program : Program, box : Box, results : Channel(Int64), k : Int64)
    box.send(program.nonce)
    finished = messages = 0_i64
    k.times do
      messages += results.receive
      finished += 1
    end
    {messages, {finished: finished, messages: messages, checksum: box.receive}}
  end
end
