defmodule Spawn do
  @moduledoc "Starts n tasks, numbered from the nonce on, then collects and sums what they return."

  def main do
    Corobench.run("spawn", [n: 1], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.repeat(program, &spawn_all(&1, n, trace))
    end)
  end

  defp spawn_all(first, n, trace) do
    tasks = for i <- first..(first + n - 1), do: Corobench.async(trace, i, fn -> i end)
    created = length(tasks)
    {finished, sum} = Corobench.await_all(tasks, trace, first)
    {finished, [created: created, finished: finished, checksum: sum]}
  end
end
