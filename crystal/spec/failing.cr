require "../harness/program"

# A planted fault: a fiber that nobody waits for fails while the root does.
Program.run("failing", {} of Symbol => Int64) do |program|
  Program.start(program, 0_i64) { raise "planted" }
  Fiber.yield
end
