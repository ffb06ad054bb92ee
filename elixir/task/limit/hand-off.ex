defmodule LimitHandOff do
  @moduledoc "Two tasks send a token to and fro, m times each: a bare number, which no receive could tell from another message."

  def main do
    Corobench.run("hand-off", [m: 1], fn %{params: %{m: m}, trace: trace} = program ->
      :corobench.repeat(program, fn -> Player.prepare(2, m, trace, &play/4) end, &Player.pass(&1, trace, &2))
    end)
  end

  # Receives the token, adds one and sends it on; returns how often it had it.
  defp play(i, next, rounds, trace), do: play(i, next, rounds, 0, trace)

  defp play(_, _, rounds, rounds, _), do: rounds

  defp play(i, next, rounds, received, trace) do
    receive do
      token ->
        :corobench_trace.run(trace, i)
        send(next, token + 1)
        play(i, next, rounds, received + 1, trace)
    end
  end
end
