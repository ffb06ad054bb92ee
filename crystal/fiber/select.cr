require "../harness/program"

private alias Inbox = Channel(Int64)

# The numbers of channels that a select statement is written out for.
private WRITTEN_OUT = [2, 8, 64]

# A select statement over k channels: which of them was ready, and its message.
private macro first_of(channels, k)
  select
  {% for i in 0...k %}
  when message = {{channels}}[{{i}}].receive
    { {{i}}, message }
  {% end %}
  end
end

# Two fibers: one waits on k channels at once, the other sends through them in an order that the first does not know.
private class Selection
  @k : Int64
  @w : Int64
  @m : Int64
  @nonce : Int64
  @boxes : Array(Inbox)
  @answers : Inbox

  def initialize(@program : Program)
    @k, @w, @m = @program["k"], @program["w"], @program["m"]
    @nonce = @program.nonce
    @boxes = Array(Inbox).new(@k.to_i) { Inbox.new(1) }
    @answers = Inbox.new(1)
  end

  # How many messages came through each channel, and their sum. The block waits on all channels.
  private def receive(& : Array(Inbox) -> {Int32, Int64}) : {Array(Int64), Int64}
    counts = Array.new(@boxes.size, 0_i64)
    received = sum = 0_i64
    while received < @k * @m
      channel, message = yield @boxes
      @program.record("run", 0)
      counts[channel] += 1
      sum += message
      received += 1
      @answers.send(received) if received % @w == 0
    end
    {counts, sum}
  end

  private def receive_all : {Array(Int64), Int64}
    case @k
    when  2 then receive { |boxes| first_of(boxes, 2) }
    when  8 then receive { |boxes| first_of(boxes, 8) }
    when 64 then receive { |boxes| first_of(boxes, 64) }
    else         raise "no select statement is written out for #{@k} channels"
    end
  end

  # The nonce draws the order: each channel once a round, as k is a power of two.
  private def send_all : Int64
    sent = 0_i64
    (@nonce...@nonce + @m).each do |round|
      @k.times do |turn|
        @boxes[(round + turn * (2 * round + 1)) % @k].send(@nonce + sent)
        sent += 1
        if sent % @w == 0
          @answers.receive
          @program.record("run", 1)
        end
      end
    end
    sent
  end

  def perform
    received, sent = Channel({Array(Int64), Int64}).new(1), Channel(Int64).new(1)
    Program.start(@program, 0_i64, runs: false) { received.send(receive_all) }
    Program.start(@program, 1_i64, runs: false) { sent.send(send_all) }
    counts, checksum = received.receive
    finished = 1
    finished += 1 if sent.receive == @k * @m
    messages = counts.sum
    {messages, {finished: finished, messages: messages, least: counts.min, most: counts.max, checksum: checksum}}
  end
end

Program.run("select", {k: 2_i64, w: 1_i64, m: 1_i64}) do |program|
  k = program["k"]
  raise Arguments::Usage.new("k=#{k} must be one of #{WRITTEN_OUT.join(", ")}") unless WRITTEN_OUT.includes?(k)
  program.repeat { Selection.new(program).perform }
end
