defmodule Baseline do
  @moduledoc "Calls a plain function n times and sums what it returns: the language without tasks."

  def main do
    Corobench.run("baseline", [n: 1], fn %{params: %{n: n}} = program ->
      :corobench.repeat(program, fn nonce ->
        {last, sum} = call(nonce, nonce + n, 0)
        finished = last - nonce
        {finished, [finished: finished, checksum: sum]}
      end)
    end)
  end

  # Called by its module's name, which keeps the compiler from inlining it.
  def body(i), do: i

  defp call(last, last, sum), do: {last, sum}
  defp call(i, last, sum), do: call(i + 1, last, sum + __MODULE__.body(i))
end
