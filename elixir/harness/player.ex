defmodule Player do
  @moduledoc "The task of hand-off and ring."

  @doc "Learns who is next, then receives the token, adds one and sends it on; returns how often it had it."
  def play(i, rounds, trace) do
    receive do
      {:next, next} -> pass(i, next, rounds, 0, trace)
    end
  end

  @doc "The same for the first one, which hands the root the token that came to it last."
  def first(rounds, root, trace) do
    received = play(0, rounds, trace)

    receive do
      {:token, last} -> send(root, {:last, last})
    end

    received
  end

  @doc "Tells k players who is next, and gives back the first."
  def join([first | others] = players) do
    for {player, next} <- Enum.zip(players, others ++ [first]), do: send(player.pid, {:next, next.pid})
    first
  end

  @doc "Gives the first player a token, and awaits them all."
  def start(first, players, trace) do
    send(first.pid, {:token, 0})
    {finished, messages} = Corobench.await_all(players, trace)

    receive do
      {:last, token} -> {messages, [finished: finished, messages: messages, checksum: token]}
    end
  end

  defp pass(_, _, rounds, rounds, _), do: rounds

  defp pass(i, next, rounds, received, trace) do
    receive do
      {:token, token} ->
        :corobench_trace.run(trace, i)
        send(next, {:token, token + 1})
        pass(i, next, rounds, received + 1, trace)
    end
  end
end
