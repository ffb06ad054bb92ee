require "../harness/crowd"
require "../harness/load"

# n parked fibers are cancelled, and joined, while k others yield.
private def cancel(load : Load, crowd : Crowd)
  finished, evidence = crowd.cancel
  {finished, evidence.merge(active: load.active)}
end

Program.run("cancel-loaded", {n: 1_i64, k: 1_i64}) do |program|
  load = nil.as(Load?)
  prepare = ->do
    load.try &.stop # that of the iteration before, whose clock has stopped
    yielding = load = Load.new(program, program["k"])
    {yielding, Crowd.new(program, program["n"], program["k"])}
  end
  program.repeat(prepare) { |prepared| cancel(*prepared) }
  load.try &.stop
end
