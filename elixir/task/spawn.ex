defmodule Spawn do
  @moduledoc "Starts n tasks, then collects and sums what they return."

  def main do
    Corobench.run("spawn", [n: 1], [limit: :corobench_arguments.flag()], fn %{params: %{n: n} = params, trace: trace} = program ->
      spawn_all = if params[:limit] == 1, do: &spawn_processes/2, else: &spawn_all/2
      :corobench.repeat(program, fn -> spawn_all.(n, trace) end)
    end)
  end

  defp spawn_all(n, trace) do
    tasks = for i <- 0..(n - 1), do: Corobench.async(trace, i, fn -> i end)
    created = length(tasks)
    {finished, sum} = Corobench.await_all(tasks, trace)
    {finished, [created: created, finished: finished, checksum: sum]}
  end

  # The same by processes alone, each of which sends its result.
  defp spawn_processes(n, trace) do
    tasks = for i <- 0..(n - 1), do: :corobench_task.start_unlinked(trace, i, fn -> i end)
    created = length(tasks)
    {finished, sum} = :corobench_task.collect(trace, created)
    {finished, [created: created, finished: finished, checksum: sum]}
  end
end
