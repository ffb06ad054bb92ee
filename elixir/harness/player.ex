defmodule Player do
  @moduledoc "The tasks of hand-off and ring: each waits for the token from the one before it, and passes it round."

  @doc "Starts k tasks and tells each who is next; returns them when all wait for the token: one with a tag, or its bare number."
  def prepare(k, rounds, trace, form \\ :tagged) do
    root = self()

    players =
      for i <- 0..(k - 1) do
        Corobench.async_resuming(trace, i, fn ->
          if i == 0, do: first(rounds, root, trace, form), else: play(i, rounds, root, trace, form)
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

  @doc "Gives the first task the token, and awaits them all."
  def pass([first | _] = players, trace, form \\ :tagged) do
    send(first.pid, if(form == :tagged, do: {:token, 0}, else: 0))
    {finished, messages} = Corobench.await_all(players, trace)

    receive do
      {:last, token} -> {messages, [finished: finished, messages: messages, checksum: token]}
    end
  end

  # Learns who is next, says that it has nothing left to do but to wait, and receives and sends on; returns how often it had the token.
  defp play(i, rounds, root, trace, form) do
    receive do
      {:next, next} ->
        send(root, :ready)
        if form == :tagged, do: pass_on(i, next, rounds, 0, trace), else: pass_number(i, next, rounds, 0, trace)
    end
  end

  # The same for the first one, which hands the root the token that came to it last.
  defp first(rounds, root, trace, form) do
    received = play(0, rounds, root, trace, form)

    receive do
      {:token, last} -> send(root, {:last, last})
      last -> send(root, {:last, last})
    end

    received
  end

  defp pass_on(_, _, rounds, rounds, _), do: rounds

  defp pass_on(i, next, rounds, received, trace) do
    receive do
      {:token, token} ->
        :corobench_trace.run(trace, i)
        send(next, {:token, token + 1})
        pass_on(i, next, rounds, received + 1, trace)
    end
  end

  # The same without a tag: nothing else may come.
  defp pass_number(_, _, rounds, rounds, _), do: rounds

  defp pass_number(i, next, rounds, received, trace) do
    receive do
      token ->
        :corobench_trace.run(trace, i)
        send(next, token + 1)
        pass_number(i, next, rounds, received + 1, trace)
    end
  end
end
