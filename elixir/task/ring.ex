defmodule Ring do
  @moduledoc "k tasks, each waiting for the token from the one before it, pass it round."

  def main do
    Corobench.run("ring", [k: 1, rounds: 1], fn %{params: %{k: k, rounds: rounds}, trace: trace} = program ->
      :corobench.repeat(program, fn -> prepare(k, rounds, trace) end, fn players ->
        players |> hd() |> Player.start(players, trace)
      end)
    end)
  end

  # Returns when all tasks are about to wait for the token.
  defp prepare(k, rounds, trace) do
    root = self()

    players =
      for i <- 0..(k - 1) do
        Corobench.async_resuming(trace, i, fn ->
          send(root, :ready)
          if i == 0, do: Player.first(rounds, root, trace), else: Player.play(i, rounds, trace)
        end)
      end

    for _ <- players do
      receive do
        :ready -> :ok
      end
    end

    Player.join(players)
    players
  end
end
