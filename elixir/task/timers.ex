defmodule Timers do
  @moduledoc "Starts n tasks that each sleep until a deadline of its own, spread over a second."

  @spread 1_000_000_000
  @ms 1_000_000

  def main do
    Corobench.run("timers", [n: 1, lead: 0], fn %{params: %{n: n, lead: lead}, trace: trace} = program ->
      root = self()

      :corobench.once(program, fn _ ->
        {created, woken} = sleep_all(n, lead, trace)
        send(root, {:lateness, Enum.map(woken, fn {_, late} -> max(0, late) end)})
        outcome(created, woken)
      end)

      receive do
        {:lateness, values} -> :corobench.series(:lateness, values)
      end
    end)
  end

  # How many were started, and the number and the lateness of each, in nanoseconds.
  defp sleep_all(n, lead, trace) do
    start = now() + lead * @ms

    tasks =
      for i <- 0..(n - 1) do
        Corobench.async(trace, i, fn -> {i, sleep_until(start + div(i * @spread, n))} end)
      end

    {length(tasks), Task.await_many(tasks, :infinity)}
  end

  # A sleep is a whole number of milliseconds: what is left is rounded up. Negative where it ended too early.
  defp sleep_until(deadline) do
    left = max(0, deadline - now())
    Process.sleep(div(left + @ms - 1, @ms))
    now() - deadline
  end

  defp now, do: System.monotonic_time(:nanosecond)

  defp outcome(created, woken) do
    finished = length(woken)
    checksum = woken |> Enum.map(&elem(&1, 0)) |> Enum.sum()
    early = Enum.count(woken, fn {_, late} -> late < -@ms end)
    {finished, [created: created, finished: finished, checksum: checksum, early: early]}
  end
end
