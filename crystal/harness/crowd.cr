require "./program"

# n parked fibers are cancelled, clean up behind ensure, and are joined. A fiber can't be ended from outside: each waits for the gate and
# for a channel of its own, which is closed to cancel it.
class Crowd
  @gate = Channel(Nil).new
  @stops = [] of Channel(Nil)
  @cleaned = 0_i64

  # They are numbered from `first` on.
  def initialize(@program : Program, n : Int64, first = 0_i64)
    @cancelled = Channel(Bool).new(n.to_i)
    (first...first + n).each do |i|
      stop = Channel(Nil).new
      @stops << stop
      Program.start(program, i) { @cancelled.send(park(i, stop)) }
    end
    # After one turn they wait, and in another one those that only gave way go on.
    2.times { Fiber.yield }
  end

  # Whether it was cancelled.
  def park(i : Int64, stop : Channel(Nil)) : Bool
    @program.record("park", i)
    select
    when @gate.receive?
      raise "a task ran past its wait"
    when stop.receive?
      true
    end
  ensure
    @cleaned += 1
  end

  def cancel
    waited, finished = @stops.size - @cleaned, 0_i64
    @stops.each(&.close)
    @stops.each_index do |i|
      finished += 1 if @cancelled.receive
      @program.record("collect", i.to_i64)
    end
    {finished, {created: waited, cancelled: @cleaned, finished: finished}}
  end
end
