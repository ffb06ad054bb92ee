defmodule Switch do
  @moduledoc "Lets k tasks yield m times each."

  @last 1
  @switches 2

  def main do
    Corobench.run("switch", [k: 1, m: 1], [count: :corobench_arguments.flag()], fn program ->
      :corobench.repeat(program, fn -> switch(program) end)
    end)
  end

  defp switch(%{params: %{k: k, m: m} = params, trace: trace}) do
    counters = :atomics.new(2, [])
    :atomics.put(counters, @last, -1)
    count = params[:count] == 1
    # Looks at every resume; without trace=1 or count=1, which are never timed, there is nobody to look.
    watch = if count or trace != :none, do: fn i -> resumed(i, trace, counters) end

    tasks = for i <- 0..(k - 1), do: Corobench.async_resuming(trace, i, fn -> yields(i, m, 0, watch) end)
    {finished, resumes} = Corobench.await_all(tasks, trace)
    counted = if count, do: [true_switches: :atomics.get(counters, @switches)], else: []
    {resumes, [finished: finished, resumes: resumes] ++ counted}
  end

  # How often the task was resumed.
  defp yields(_, m, m, _), do: m

  defp yields(i, m, resumes, watch) do
    :erlang.yield()
    watch && watch.(i)
    yields(i, m, resumes + 1, watch)
  end

  defp resumed(i, trace, counters) do
    :corobench_trace.run(trace, i)
    if :atomics.exchange(counters, @last, i) != i, do: :atomics.add(counters, @switches, 1)
  end
end
