defmodule Player do
  @moduledoc "The tasks of hand-off and ring: each waits for the token from the one before it, and passes it round."

  @doc "Starts k tasks and tells each who is next; returns them when all wait for the token, which they pass on by `play`."
  def prepare(k, rounds, trace, play) do
    root = self()

    players =
      for i <- 0..(k - 1) do
        Corobench.async_resuming(trace, i, fn ->
          if i == 0, do: first(rounds, root, trace, play), else: task(i, rounds, root, trace, play)
        end)
      end

    for {player, next} <- Enum.zip(players, tl(players) ++ [hd(players)]), do: send(player.pid, {:next, next.pid})

    for _ <- players do
      receive do
        :ready -> :ok
      end
    end

    players
  end

  @doc "Gives the first task the token, a tagged or a bare number, and awaits them all."
  def pass([first | _] = players, trace, token) do
    send(first.pid, token)
    {finished, messages} = Corobench.await_all(players, trace)

    receive do
      {:last, last} -> {messages, [finished: finished, messages: messages, checksum: last]}
    end
  end

  # Learns who is next, says that it has nothing left to do but to wait, and plays.
  defp task(i, rounds, root, trace, play) do
    receive do
      {:next, next} ->
        send(root, :ready)
        play.(i, next, rounds, trace)
    end
  end

  # The same for the first one, which hands the root the token that came to it last.
  defp first(rounds, root, trace, play) do
    received = task(0, rounds, root, trace, play)

    receive do
      {:token, last} -> send(root, {:last, last})
      last -> send(root, {:last, last})
    end

    received
  end

  @doc "Receives the token, adds one and sends it on; returns how often it had it. The tag tells it from other messages."
  def play(i, next, rounds, trace), do: play(i, next, rounds, 0, trace)

  defp play(_, _, rounds, rounds, _), do: rounds

  defp play(i, next, rounds, received, trace) do
    receive do
      {:token, token} ->
        :corobench_trace.run(trace, i)
        send(next, {:token, token + 1})
        play(i, next, rounds, received + 1, trace)
    end
  end
end
