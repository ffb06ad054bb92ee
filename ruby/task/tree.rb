# frozen_string_literal: true

require_relative "../harness/program"

CHILDREN = 10

# How many tasks were joined in a task, itself included, and the sum of its leaves.
def node(first, leaves, program)
  return [1, first] if leaves == 1

  share = leaves / CHILDREN
  children = Array.new(CHILDREN) { |i| program.start_next { node(first + (i * share), share, program) } }
  children.reduce([1, 0]) do |(tasks, sum), child|
    joined, part = child.value
    [tasks + joined, sum + part]
  end
end

# A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf.
def grow(program)
  tasks, sum = program.start_next { node(program.nonce, program[:n], program) }.value
  [tasks, { finished: tasks, checksum: sum }]
end

Program.run("tree", { n: 1 }) do |program|
  raise UsageError, "n=#{program[:n]} must be a power of ten" unless program[:n].to_s.match?(/\A10*\z/)

  program.repeat { grow(program) }
end
