require "./program"

# Parks n tasks at one gate and holds the process still before, while and after they live.
class Gate
  @open = Channel(Nil).new

  getter parked = 0_i64

  def initialize(@program : Program)
  end

  # Parks task i until the gate is opened.
  def wait(i : Int64) : Nil
    @program.record("park", i)
    @parked += 1
    @open.receive?
    @parked -= 1
  end

  # Back when every other fiber has had its turn.
  def live(& : Int64 ->)
    n, first = @program["n"], @program.nonce
    results = Channel(Int64).new(n.to_i)
    created = 0_i64
    (first...first + n).each do |i|
      yield i, results
      created += 1
    end
    Fiber.yield
    @program.hold_twice("live", @parked)
    @open.close
    finished = checksum = 0_i64
    n.times do
      checksum += results.receive
      finished += 1
    end
    {finished, {created: created, finished: finished, checksum: checksum}}
  end

  # The whole program of a memory workload: the block gets the number of a task and the gate, waits there once, and returns the number.
  macro measure(workload, &block)
    Program.run({{workload}}, {n: 1_i64}) do |program|
      program.lap do
        program.hold("base", 0)
        gate = Gate.new(program)
        outcome = gate.live do |{{block.args.first}}, results|
          Program.start(program, {{block.args.first}}) do
            results.send({{block.body}})
          end
        end
        program.hold_twice("released", gate.parked)
        outcome
      end
    end
  end
end
