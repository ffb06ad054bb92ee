defmodule LimitSpawn do
  @moduledoc "Starts n processes, numbered from the nonce on, without a Task's link, monitor and reference, then sums what they send."

  def main do
    Corobench.run("spawn", [n: 1], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.repeat(program, &spawn_all(&1, n, trace))
    end)
  end

  defp spawn_all(first, n, trace) do
    tasks = for i <- first..(first + n - 1), do: :corobench_task.start_unlinked(trace, i, fn -> i end)
    created = length(tasks)
    {finished, sum} = :corobench_task.collect(trace, created)
    {finished, [created: created, finished: finished, checksum: sum]}
  end
end
