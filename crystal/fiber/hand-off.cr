require "../harness/token"

# Two fibers pass a token to and fro, m times each, through channels with room for one.
Program.run("hand-off", {m: 1_i64}) do |program|
  program.repeat(->{ Token.prepare(program, 2, program["m"]) }) { |ring| Token.pass(program, *ring, 2) }
end
