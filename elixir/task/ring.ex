defmodule Ring do
  @moduledoc "k tasks, each waiting for the token from the one before it, pass it round."

  def main do
    Corobench.run("ring", [k: 1, rounds: 1], fn %{params: %{k: k, rounds: rounds}, trace: trace} = program ->
      :corobench.repeat(program, fn -> Player.prepare(k, rounds, trace) end, fn players -> Player.pass(players, trace) end)
    end)
  end
end
