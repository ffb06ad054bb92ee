require "./program"

# Fibers 0 .. k-1, which do nothing but yield until they are told to end.
class Load
  @ended = false
  @counts : Channel(Int64)

  # Those that have yielded and not ended.
  getter active = 0_i64

  # All of them have yielded when it returns.
  def initialize(@program : Program, @k : Int64)
    @counts = Channel(Int64).new(k.to_i)
    k.times do |i|
      Program.start(@program, i) { @counts.send(keep_yielding) }
    end
    Program.yield_until { @active == k }
  end

  # How often it yielded.
  private def keep_yielding : Int64
    Fiber.yield
    count = 1_i64
    @active += 1
    until @ended
      Fiber.yield
      count += 1
    end
    @active -= 1
    count
  end

  # The yields of each, when all have ended.
  def stop : Array(Int64)
    @ended = true
    Array.new(@k.to_i) { @counts.receive }
  end
end
