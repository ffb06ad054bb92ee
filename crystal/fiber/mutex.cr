require "../harness/program"

# What the lock guards: those who are inside, the most that ever were, how often one gave way, and a value that each makes one greater.
# They give way between reading it and writing it: two that are inside at once lose an increment.
private class Section
  getter most = 0_i64
  getter yields = 0_i64
  getter value : Int64
  @inside = 0_i64

  def initialize(@value, @contended : Bool)
  end

  # The value that was found.
  def visit : Int64
    @inside += 1
    @most = Math.max(@most, @inside)
    found = @value
    if @contended
      Fiber.yield
      @yields += 1
    end
    @value = found + 1
    @inside -= 1
    found
  end
end

# k fibers take one lock m times each.
private class Contenders
  @lock = Mutex.new
  @asked = 0_i64
  @nonce : Int64
  @section : Section
  @ended : Channel({Int64, Int64})

  # All of them have asked for the lock, which the root holds, when it returns.
  def initialize(@program : Program, @k : Int64, m : Int64)
    @nonce = @program.nonce
    @section = Section.new(@nonce, contended: k > 1)
    @ended = Channel({Int64, Int64}).new(k.to_i)
    @lock.lock
    k.times do |i|
      Program.start(@program, i) { @ended.send(take(i, m)) }
    end
    Program.yield_until { @asked == k }
  end

  # Its acquisitions, and the most by others between two of them.
  def take(i : Int64, m : Int64) : {Int64, Int64}
    acquired = passed = 0_i64
    own = @nonce
    while acquired < m
      @program.record("ask", i)
      @asked += 1 if acquired == 0
      @lock.synchronize do
        @program.record("enter", i)
        found = @section.visit
        passed = Math.max(passed, found - own)
        own = found + 1
        @program.record("leave", i)
      end
      acquired += 1
    end
    {acquired, passed}
  end

  def contend
    @lock.unlock
    ops = finished = longest = 0_i64
    @k.times do
      acquired, passed = @ended.receive
      finished += 1
      ops += acquired
      longest = Math.max(longest, passed)
    end
    {ops, {finished: finished, most: @section.most, yields: @section.yields, passed: longest, checksum: @section.value}}
  end
end

Program.run("mutex", {k: 1_i64, m: 1_i64}) do |program|
  program.repeat(->{ Contenders.new(program, program["k"], program["m"]) }, &.contend)
end
