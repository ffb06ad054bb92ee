defmodule HandOff do
  @moduledoc "Two tasks send a token to and fro, m times each."

  def main do
    Corobench.run("hand-off", [m: 1], fn %{params: %{m: m}, trace: trace} = program ->
      :corobench.repeat(program, fn -> alternate(m, trace) end)
    end)
  end

  defp alternate(m, trace) do
    root = self()
    zero = Corobench.async_resuming(trace, 0, fn -> Player.first(m, root, trace) end)
    one = Corobench.async_resuming(trace, 1, fn -> Player.play(1, m, trace) end)
    players = [zero, one]
    players |> Player.join() |> Player.start(players, trace)
  end
end
