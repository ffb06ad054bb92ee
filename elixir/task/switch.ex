defmodule Switch do
  @moduledoc "Lets k tasks yield m times each."

  @last 1
  @switches 2

  def main do
    Corobench.run("switch", [k: 1, m: 1], [count: :corobench_arguments.flag()], fn program ->
      :corobench.repeat(program, &switch(program, &1))
    end)
  end

  # Each task counts from the nonce on.
  defp switch(%{params: %{k: k, m: m} = params, trace: trace}, nonce) do
    counters = :atomics.new(2, [])
    :atomics.put(counters, @last, -1)
    count = params[:count] == 1
    # Looks at every resume; without trace=1 or count=1, which are never timed, there is nobody to look.
    watch = if count or trace != :none, do: fn i -> resumed(i, trace, counters) end

    last = nonce + m
    tasks = for i <- 0..(k - 1), do: Corobench.async_resuming(trace, i, fn -> yields(i, last, nonce, watch) end)
    {finished, sum} = Corobench.await_all(tasks, trace)
    resumes = sum - k * nonce
    counted = if count, do: [true_switches: :atomics.get(counters, @switches)], else: []
    {resumes, [finished: finished, resumes: resumes, checksum: sum] ++ counted}
  end

  # Counts the task's resumes up to `last`.
  defp yields(_, last, last, _), do: last

  defp yields(i, last, count, watch) do
    :erlang.yield()
    watch && watch.(i)
    yields(i, last, count + 1, watch)
  end

  defp resumed(i, trace, counters) do
    :corobench_trace.run(trace, i)
    if :atomics.exchange(counters, @last, i) != i, do: :atomics.add(counters, @switches, 1)
  end
end
