require "../harness/load"

# How late each tick was taken. One that is overdue is taken at once.
private def tick(ticks : Int64, period_ns : Int64) : Array(Int64)
  due = Program.clock
  Array.new(ticks.to_i) do
    due += period_ns
    left = due - Program.clock
    sleep left.nanoseconds if left > 0
    Math.max(0_i64, Program.clock - due)
  end
end

# One fiber wakes on an absolute schedule while k others yield.
private def perform(program : Program, k : Int64)
  load = Load.new(program, k)
  ended = Channel(Array(Int64)).new(1)
  Program.start(program, k) { ended.send(tick(program["ticks"], program["period_us"] * 1_000)) }
  lateness = ended.receive
  counts = load.stop
  {lateness, {finished: counts.size + 1, active: counts.count(&.> 0), yields: counts.sum}}
end

Program.run("ticker", {k: 1_i64, ticks: 1_i64, period_us: 1_i64}) do |program|
  lateness = [] of Int64
  program.lap do
    lateness, evidence = perform(program, program["k"])
    {lateness.size.to_i64, evidence}
  end
  program.series("lateness", lateness)
end
