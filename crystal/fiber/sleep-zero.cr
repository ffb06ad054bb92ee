require "../harness/program"

# How often it woke, counted from the nonce on.
private def count(program : Program, i : Int64, first : Int64, m : Int64) : Int64
  count = first
  while count < first + m
    sleep 0.seconds
    count += 1
    program.record("run", i)
  end
  count
end

# k fibers sleep m times each for no time at all.
private def perform(program : Program, k : Int64, m : Int64)
  first = program.nonce
  results = Channel(Int64).new(k.to_i)
  k.times do |i|
    Program.start(program, i, runs: false) { results.send(count(program, i, first, m)) }
  end
  finished = checksum = 0_i64
  k.times do
    checksum += results.receive
    finished += 1
  end
  {checksum - finished * first, {finished: finished, checksum: checksum}}
end

Program.run("sleep-zero", {k: 1_i64, m: 1_i64}) do |program|
  program.repeat { perform(program, program["k"], program["m"]) }
end
