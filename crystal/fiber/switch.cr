require "../harness/program"

# Looks at every resume; without trace=1 or count=1, which are never timed, there is none.
private class Watcher
  getter switches = 0_i64
  @last = -1_i64

  def initialize(@program : Program)
  end

  def resumed(i : Int64) : Nil
    @program.record("run", i)
    @switches += 1 if @last != i
    @last = i
  end
end

# How often it was resumed, counted from the nonce on.
private def count(i : Int64, first : Int64, m : Int64, watcher : Watcher?) : Int64
  count = first
  while count < first + m
    Fiber.yield
    count += 1
    watcher.resumed(i) if watcher
  end
  count
end

# Lets k fibers yield m times each.
private def perform(program : Program, k : Int64, m : Int64)
  first, counted = program.nonce, program["count"] == 1
  watcher = Watcher.new(program) if counted || program.trace
  results = Channel(Int64).new(k.to_i)
  k.times do |i|
    Program.start(program, i, runs: false) { results.send(count(i, first, m, watcher)) }
  end
  finished = checksum = 0_i64
  k.times do
    checksum += results.receive
    finished += 1
  end
  resumes = checksum - k * first
  evidence = {"finished" => finished, "resumes" => resumes, "checksum" => checksum}
  evidence["true_switches"] = watcher.switches if counted && watcher
  {resumes, evidence}
end

Program.run("switch", {k: 1_i64, m: 1_i64}, ["count"]) do |program|
  program.repeat { perform(program, program["k"], program["m"]) }
end
