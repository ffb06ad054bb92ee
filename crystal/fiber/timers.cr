require "../harness/program"

private SPREAD = 1_000_000_000_i64

# n fibers sleep once, each until a deadline of its own within one second.
private def sleep_all(program : Program, n : Int64, lateness : Array(Int64))
  start = Program.clock + program["lead"] * Program::MS
  woken = Channel({Int64, Int64}).new(n.to_i)
  created = finished = checksum = early = 0_i64
  n.times do |i|
    deadline = start + i * SPREAD // n
    Program.start(program, i) do
      sleep Math.max(0_i64, deadline - Program.clock).nanoseconds
      woken.send({i, Program.clock - deadline})
    end
    created += 1
  end
  n.times do
    number, late = woken.receive
    early += 1 if late < -Program::MS
    lateness << Math.max(0_i64, late)
    checksum += number
    finished += 1
  end
  {finished, {created: created, finished: finished, checksum: checksum, early: early}}
end

Program.run("timers", {n: 1_i64, lead: 0_i64}) do |program|
  lateness = [] of Int64
  program.lap { sleep_all(program, program["n"], lateness) }
  program.series("lateness", lateness)
end
