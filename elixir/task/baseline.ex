defmodule Baseline do
  @moduledoc "Calls a plain function n times and sums what it returns: the language without tasks."

  def main do
    Corobench.run("baseline", [n: 1], fn %{params: %{n: n}} = program ->
      :corobench.repeat(program, fn nonce ->
        {stop, sum} = call(nonce, nonce + n, 0)
        finished = stop - nonce
        {finished, [finished: finished, checksum: sum]}
      end)
    end)
  end

  # Called by its module's name, which keeps the compiler from inlining it.
  def body(i), do: i

  defp call(stop, stop, sum), do: {stop, sum}
  defp call(i, stop, sum), do: call(i + 1, stop, sum + __MODULE__.body(i))
end
