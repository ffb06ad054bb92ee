defmodule Spawn do
  @moduledoc "Starts n tasks, then collects and sums what they return."

  def main do
    Corobench.run("spawn", [n: 1], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.repeat(program, fn -> spawn_all(n, trace) end)
    end)
  end

  defp spawn_all(n, trace) do
    tasks = for i <- 0..(n - 1), do: Corobench.async(trace, i, fn -> i end)
    created = length(tasks)
    {finished, sum} = Corobench.await_all(tasks, trace)
    {finished, [created: created, finished: finished, checksum: sum]}
  end
end
