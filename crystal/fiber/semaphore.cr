require "../harness/program"

# k fibers take one of s permits m times each, and give way while they have it. A permit is a place in a channel with room for s.
private class Contenders
  @asked = 0_i64
  @inside = 0_i64
  @entered = 0_i64
  @most = 0_i64
  @yields = 0_i64
  @nonce : Int64
  @permits : Channel(Nil)
  @ended : Channel({Int64, Int64})

  # All of them have asked for a permit, of which the root holds all, when it returns.
  def initialize(@program : Program, @k : Int64, @s : Int64, m : Int64)
    @nonce = @program.nonce
    @permits = Channel(Nil).new(s.to_i)
    @ended = Channel({Int64, Int64}).new(k.to_i)
    s.times { @permits.send(nil) }
    k.times do |i|
      Program.start(@program, i) { @ended.send(take(i, m)) }
    end
    Program.yield_until { @asked == k }
  end

  # Its permits, counted from the nonce on, and the most of others between two of its own.
  def take(i : Int64, m : Int64) : {Int64, Int64}
    taken, passed, own = @nonce, 0_i64, 0_i64
    while taken < @nonce + m
      @program.record("ask", i)
      @asked += 1 if taken == @nonce
      @permits.send(nil)
      @program.record("enter", i)
      number = visit
      passed = Math.max(passed, number - own - 1)
      own = number
      @program.record("leave", i)
      @permits.receive
      taken += 1
    end
    {taken, passed}
  end

  # How many permits had been taken, its own included.
  private def visit : Int64
    @inside += 1
    @most = Math.max(@most, @inside)
    number = @entered += 1
    if @k > @s
      Fiber.yield
      @yields += 1
    end
    @inside -= 1
    number
  end

  def share
    @s.times { @permits.receive }
    finished = longest = checksum = 0_i64
    @k.times do
      taken, passed = @ended.receive
      finished += 1
      checksum += taken
      longest = Math.max(longest, passed)
    end
    {checksum - finished * @nonce, {finished: finished, most: @most, yields: @yields, passed: longest, checksum: checksum}}
  end
end

Program.run("semaphore", {k: 1_i64, s: 1_i64, m: 1_i64}) do |program|
  program.repeat(->{ Contenders.new(program, program["k"], program["s"], program["m"]) }, &.share)
end
