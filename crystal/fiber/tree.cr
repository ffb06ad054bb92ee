require "../harness/program"

private CHILDREN = 10

# How many fibers were joined in one, itself included, and the sum of its leaves.
private alias Part = {Int64, Int64}

# Starts a fiber for a range of leaves, which starts ten for the tenths of it, down to a fiber for each leaf.
private def grow(program : Program, first : Int64, leaves : Int64, results : Channel(Part)) : Nil
  Program.start(program, program.next_number) do
    results.send(leaves == 1 ? {1_i64, first} : branch(program, first, leaves // CHILDREN))
  end
end

private def branch(program : Program, first : Int64, share : Int64) : Part
  results = Channel(Part).new(CHILDREN)
  CHILDREN.times { |i| grow(program, first + i * share, share, results) }
  tasks, sum = 1_i64, 0_i64
  CHILDREN.times do
    below, part = results.receive
    tasks += below
    sum += part
  end
  {tasks, sum}
end

Program.run("tree", {n: 1_i64}) do |program|
  n = program["n"]
  raise Arguments::Usage.new("n=#{n} must be a power of ten") unless n.to_s.matches?(/\A10*\z/)
  program.repeat do
    results = Channel(Part).new(1)
    grow(program, program.nonce, n, results)
    tasks, sum = results.receive
    {tasks, {finished: tasks, checksum: sum}}
  end
end
