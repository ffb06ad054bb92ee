require "../harness/token"

# k fibers, each waiting at a channel with room for one, pass a token round.
Program.run("ring", {k: 1_i64, rounds: 1_i64}) do |program|
  k = program["k"]
  program.repeat(->{ Token.prepare(program, k, program["rounds"]) }) { |ring| Token.pass(program, *ring, k) }
end
