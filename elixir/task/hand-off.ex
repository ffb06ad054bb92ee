defmodule HandOff do
  @moduledoc "Two tasks send a token to and fro, m times each."

  def main do
    Corobench.run("hand-off", [m: 1], fn %{params: %{m: m}, trace: trace} = program ->
      :corobench.repeat(program, fn -> Player.prepare(2, m, trace, &Player.play/4) end, &Player.pass(&1, trace, {:token, &2}))
    end)
  end
end
