defmodule Cancel do
  @moduledoc "Shuts n parked tasks down, each of which cleans up, and waits for all."

  def main do
    Corobench.run("cancel", [n: 1], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.hold(program, :base, 0)
      :corobench.repeat(program, fn -> Crowd.park(0, n, trace) end, fn parked, _ -> Crowd.cancel(parked, trace) end)
      :corobench.hold(program, :released, 0)
    end)
  end
end
