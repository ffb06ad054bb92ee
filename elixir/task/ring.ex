defmodule Ring do
  @moduledoc "k tasks, each waiting for the token from the one before it, pass it round."

  def main do
    Corobench.run("ring", [k: 1, rounds: 1], fn %{params: %{k: k, rounds: rounds}, trace: trace} = program ->
      :corobench.repeat(program, fn -> Player.prepare(k, rounds, trace, &Player.play/4) end, &Player.pass(&1, trace, {:token, &2}))
    end)
  end
end
