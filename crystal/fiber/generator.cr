require "../harness/program"

# What goes in and out of the fiber: to resume one passes nothing.
private class Shared
  property value : Int64

  def initialize(@value)
  end
end

# A fiber that hands out one more than it was given last, n times after the first. It waits by resuming, by hand, the one that resumes it:
# no scheduler comes in between.
private def adder(program : Program, n : Int64, shared : Shared, resumer : Fiber) : Fiber
  Fiber.new do
    n.times do
      resumer.resume
      program.record("run", 0)
      shared.value += 1
    end
    program.record("done", 0)
    # A fiber that ends leaves the thread to the scheduler.
    resumer.enqueue
  rescue error
    Program.fail(error)
  end
end

private def perform(program : Program)
  shared = Shared.new(program.nonce)
  program.record("spawn", 0)
  fiber = adder(program, program["n"], shared, Fiber.current)
  program.record("spawned", 0)
  until fiber.dead?
    fiber.resume
  end
  {shared.value - program.nonce, {finished: fiber.dead? ? 1 : 0, checksum: shared.value}}
end

Program.run("generator", {n: 1_i64}) do |program|
  program.repeat { perform(program) }
end
