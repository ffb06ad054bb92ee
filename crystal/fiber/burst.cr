require "../harness/program"

# A root that has slept starts n fibers at once, and again; each tells when it first ran.
private class Bursts
  getter starts = [] of Int64
  @created = 0_i64
  @finished = 0_i64
  @checksum = 0_i64
  @last_ns = 0_i64
  @number : Int64

  def initialize(@program : Program)
    @number = @program.nonce
  end

  def run
    @program["bursts"].times do
      sleep @program["idle_ms"].milliseconds
      burst(@program["n"])
    end
    {@finished, {created: @created, finished: @finished, checksum: @checksum, last_ns: @last_ns}}
  end

  # Each fiber sends its number and how long it took until it ran.
  private def burst(n : Int64) : Nil
    results = Channel({Int64, Int64}).new(n.to_i)
    first, @number = @number, @number + n
    last = 0_i64
    began = Program.clock
    (first...first + n).each do |i|
      Program.start(@program, i) do
        start = Program.clock - began
        results.send({i, start})
      end
      @created += 1
    end
    n.times do
      value, start = results.receive
      @program.record("collect", value)
      @checksum += value
      @finished += 1
      @starts << start
      last = Math.max(last, start)
    end
    @last_ns += last
  end
end

Program.run("burst", {n: 1_i64, bursts: 1_i64, idle_ms: 0_i64}) do |program|
  bursts = Bursts.new(program)
  program.lap { bursts.run }
  program.series("start", bursts.starts)
end
