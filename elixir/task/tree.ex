defmodule Tree do
  @moduledoc "A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf."

  @children 10

  def main do
    Corobench.run("tree", [n: :corobench_arguments.power_of_ten()], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.repeat(program, fn nonce ->
        {tasks, sum} = nonce |> start(n, trace, numbers(trace)) |> Task.await(:infinity)
        {tasks, [finished: tasks, checksum: sum]}
      end)
    end)
  end

  defp start(first, leaves, trace, number) do
    Corobench.async(trace, number.(), fn -> node(first, leaves, trace, number) end)
  end

  # How many tasks were joined in it, itself included, and the sum of its leaves.
  defp node(first, 1, _, _), do: {1, first}

  defp node(first, leaves, trace, number) do
    share = div(leaves, @children)
    children = for i <- 0..(@children - 1), do: start(first + i * share, share, trace, number)

    Enum.reduce(children, {1, 0}, fn child, {tasks, sum} ->
      {joined, part} = Task.await(child, :infinity)
      {tasks + joined, sum + part}
    end)
  end

  # Nobody asks for numbers without a trace, and a counter that all share would be timed.
  defp numbers(:none), do: fn -> 0 end

  defp numbers(_) do
    counter = :atomics.new(1, [])
    fn -> :atomics.add_get(counter, 1, 1) - 1 end
  end
end
