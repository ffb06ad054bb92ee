defmodule Ticker do
  @moduledoc "One task wakes on an absolute schedule while k others do nothing but yield."

  @ms 1_000_000

  def main do
    Corobench.run("ticker", [k: 1, ticks: 1, period_us: 1], fn %{params: params, trace: trace} = program ->
      root = self()

      :corobench.once(program, fn _ ->
        {outcome, lateness} = run(params.k, params.ticks, params.period_us * 1_000, trace)
        send(root, {:lateness, lateness})
        outcome
      end)

      receive do
        {:lateness, values} -> :corobench.series(:lateness, values)
      end
    end)
  end

  defp run(k, ticks, period, trace) do
    root = self()
    others = for i <- 0..(k - 1), do: Corobench.async(trace, i, fn -> yields(root) end)

    for _ <- others do
      receive do
        :running -> :ok
      end
    end

    ticker = Corobench.async(trace, k, fn -> tick(ticks, period, now() + period, []) end)
    lateness = Task.await(ticker, :infinity)
    counts = Load.stop(others)
    evidence = [finished: length(counts) + 1, active: Enum.count(counts, &(&1 > 0)), yields: Enum.sum(counts)]
    {{length(lateness), evidence}, lateness}
  end

  defp yields(root) do
    send(root, :running)
    Load.yields()
  end

  # How late each tick was taken. One that is overdue is taken without a sleep; a sleep is a whole number of milliseconds.
  defp tick(0, _, _, lateness), do: Enum.reverse(lateness)

  defp tick(ticks, period, due, lateness) do
    left = due - now()
    if left > 0, do: Process.sleep(div(left + @ms - 1, @ms))
    tick(ticks - 1, period, due + period, [max(0, now() - due) | lateness])
  end

  defp now, do: System.monotonic_time(:nanosecond)
end
