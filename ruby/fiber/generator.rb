# frozen_string_literal: true

require_relative "../harness/program"

# A fiber that hands out one more than it was given last; it ends with the n-th.
def adder(n, trace)
  Fiber.new do |value|
    n.times do
      value = Fiber.yield(value) + 1
      trace&.run(0)
    end
    trace&.done(0)
    value
  end
end

# Resumes one fiber n times by hand; no scheduler knows it.
def resume(program)
  n, nonce, trace = program[:n], program.nonce, program.trace
  trace&.spawn(0)
  fiber = adder(n, trace)
  trace&.spawned(0)
  value = fiber.resume(nonce)
  n.times { value = fiber.resume(value) }
  [value - nonce, { finished: fiber.alive? ? 0 : 1, checksum: value }]
end

Program.run("generator", { n: 1 }) do |program|
  program.repeat { resume(program) }
end
