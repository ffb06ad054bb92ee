defmodule SleepZero do
  @moduledoc "Lets k tasks sleep m times each for no time at all."

  def main do
    Corobench.run("sleep-zero", [k: 1, m: 1], fn %{params: %{k: k, m: m}, trace: trace} = program ->
      :corobench.repeat(program, fn nonce ->
        tasks = for i <- 0..(k - 1), do: Corobench.async_resuming(trace, i, fn -> sleeps(i, nonce + m, nonce, trace) end)
        {finished, sum} = Corobench.await_all(tasks, trace)
        {sum - finished * nonce, [finished: finished, checksum: sum]}
      end)
    end)
  end

  # How often the task woke, counted from the nonce up to `last`.
  defp sleeps(_, last, last, _), do: last

  defp sleeps(i, last, count, trace) do
    Process.sleep(0)
    :corobench_trace.run(trace, i)
    sleeps(i, last, count + 1, trace)
  end
end
