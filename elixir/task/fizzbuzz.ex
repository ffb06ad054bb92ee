defmodule Fizzbuzz do
  @moduledoc "n tasks take m steps of fizzbuzz each: as plain calls (base), without waiting (spawn), or with a yield after each (yield)."

  def main do
    phase = :corobench_arguments.word([~c"base", ~c"spawn", ~c"yield"])

    Corobench.run("fizzbuzz", [phase: phase, n: 1, m: 1], fn %{params: params, trace: trace} = program ->
      :corobench.repeat(program, fn _ -> run(params, trace) end)
    end)
  end

  defp run(%{phase: "base", n: n, m: m}, _), do: add(for i <- 0..(n - 1), do: steps(i, m, false))

  defp run(%{phase: phase, n: n, m: m}, trace) do
    tasks = for i <- 0..(n - 1), do: Corobench.async(trace, i, fn -> steps(i, m, phase == "yield") end)

    add(
      for {task, i} <- Enum.with_index(tasks) do
        result = Task.await(task, :infinity)
        :corobench_trace.collect(trace, i)
        result
      end
    )
  end

  defp add(results) do
    finished = length(results)
    {steps, sums} = Enum.unzip(results)
    {finished, [finished: finished, steps: Enum.sum(steps), checksum: Enum.sum(sums)]}
  end

  # The steps that a task did, and what they were worth.
  defp steps(task, m, yields) do
    Enum.reduce(0..(m - 1), {0, 0}, fn x, {done, sum} ->
      worth = worth(task + x)
      if yields, do: :erlang.yield()
      {done + 1, sum + worth}
    end)
  end

  @doc "What one step adds to the sum."
  def worth(value) do
    text = fizzbuzz(value)
    31 * byte_size(text) + :binary.first(text)
  end

  defp fizzbuzz(value) when rem(value, 15) == 0, do: "FizzBuzz"
  defp fizzbuzz(value) when rem(value, 3) == 0, do: "Fizz"
  defp fizzbuzz(value) when rem(value, 5) == 0, do: "Buzz"
  defp fizzbuzz(value), do: Integer.to_string(value)
end
