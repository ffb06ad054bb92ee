defmodule Baseline do
  @moduledoc "Calls a plain function n times and sums what it returns: the language without tasks."

  def main do
    Corobench.run("baseline", [n: 1], fn %{params: %{n: n}} = program ->
      :corobench.repeat(program, fn ->
        {finished, sum} = call(0, n, 0)
        {finished, [finished: finished, checksum: sum]}
      end)
    end)
  end

  # Called by its module's name, which keeps the compiler from inlining it.
  def body(i), do: i

  defp call(n, n, sum), do: {n, sum}
  defp call(i, n, sum), do: call(i + 1, n, sum + __MODULE__.body(i))
end
