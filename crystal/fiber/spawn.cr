require "../harness/program"

# Starts n fibers, then collects and sums what they send.
private def perform(program : Program, first : Int64, n : Int64)
  results = Channel(Int64).new(n.to_i)
  created = finished = checksum = 0_i64
  (first...first + n).each do |i|
    Program.start(program, i) { results.send(i) }
    created += 1
  end
  n.times do
    value = results.receive
    program.record("collect", value)
    checksum += value
    finished += 1
  end
  {finished, {created: created, finished: finished, checksum: checksum}}
end

Program.run("spawn", {n: 1_i64}) do |program|
  program.repeat { perform(program, program.nonce, program["n"]) }
end
