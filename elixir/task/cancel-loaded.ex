defmodule CancelLoaded do
  @moduledoc "Shuts n parked tasks down, each of which cleans up, and waits for all, while k others do nothing but yield."

  @active 1

  def main do
    Corobench.run("cancel-loaded", [n: 1, k: 1], fn %{params: %{n: n, k: k}, trace: trace} = program ->
      :corobench.repeat(program, fn -> prepare(n, k, trace) end, fn prepared, _ -> cancel(prepared, trace) end, &stop/1)
    end)
  end

  defp prepare(n, k, trace) do
    active = :counters.new(1, [:atomics])
    root = self()
    others = for i <- 0..(k - 1), do: Corobench.async(trace, i, fn -> yields(active, root) end)
    parked = Crowd.park(k, n, trace)

    for _ <- others do
      receive do
        :yielded -> :ok
      end
    end

    {parked, others, active}
  end

  # Counts itself while it has yielded and not ended; tells the root when it has.
  defp yields(active, root) do
    :erlang.yield()
    :counters.add(active, @active, 1)
    send(root, :yielded)
    Load.yields()
    :counters.sub(active, @active, 1)
  end

  defp cancel({parked, _, active}, trace) do
    {ops, evidence} = Crowd.cancel(parked, trace)
    {ops, evidence ++ [active: :counters.get(active, @active)]}
  end

  defp stop({_, others, _}), do: Load.stop(others)
end
