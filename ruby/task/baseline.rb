# frozen_string_literal: true

require_relative "../harness/program"

def body(i)
  i
end

# Calls a plain method n times and sums what it returns: the language without tasks.
def call(first, n)
  finished = checksum = 0
  i = first
  stop = first + n
  while i < stop
    checksum += body(i)
    finished += 1
    i += 1
  end
  [finished, { finished: finished, checksum: checksum }]
end

Program.run("baseline", { n: 1 }) do |program|
  program.repeat { call(program.nonce, program[:n]) }
end
