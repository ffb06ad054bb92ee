require "../harness/program"

# Calls a plain function n times and sums what it returns: the language without tasks.
@[NoInline]
private def body(i : Int64) : Int64
  i
end

private def call(first : Int64, n : Int64)
  finished = checksum = 0_i64
  (first...first + n).each do |i|
    checksum += body(i)
    finished += 1
  end
  {finished, {finished: finished, checksum: checksum}}
end

Program.run("baseline", {n: 1_i64}) do |program|
  program.repeat { call(program.nonce, program["n"]) }
end
