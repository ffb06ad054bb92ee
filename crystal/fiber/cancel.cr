require "../harness/crowd"

# n parked fibers are cancelled, and joined.
Program.run("cancel", {n: 1_i64}) do |program|
  program.hold("base", 0)
  program.repeat(->{ Crowd.new(program, program["n"]) }, &.cancel)
  program.hold("released", 0)
end
