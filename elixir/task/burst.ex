defmodule Burst do
  @moduledoc "Out of a root that has slept n tasks are started at once, and again; each tells when it first ran."

  def main do
    Corobench.run("burst", [n: 1, bursts: 1, idle_ms: 1], fn %{params: params, trace: trace} = program ->
      root = self()

      :corobench.once(program, fn nonce ->
        bursts = for number <- 0..(params.bursts - 1), do: burst(nonce + number * params.n, params, trace)
        send(root, {:starts, for({_, ran} <- bursts, {_, start} <- ran, do: start)})
        outcome(bursts)
      end)

      receive do
        {:starts, values} -> :corobench.series(:start, values)
      end
    end)
  end

  # How many were started, and of each its number and how many nanoseconds after the beginning of the burst it first ran.
  defp burst(first, %{n: n, idle_ms: idle}, trace) do
    Process.sleep(idle)
    began = now()
    tasks = for i <- first..(first + n - 1), do: Corobench.async(trace, i, fn -> {i, now() - began} end)
    {length(tasks), for(task <- tasks, do: collect(task, trace))}
  end

  defp collect(task, trace) do
    {i, _} = ran = Task.await(task, :infinity)
    :corobench_trace.collect(trace, i)
    ran
  end

  defp now, do: System.monotonic_time(:nanosecond)

  defp outcome(bursts) do
    {created, ran} = Enum.unzip(bursts)
    all = Enum.concat(ran)
    last = Enum.sum(for one <- ran, do: one |> Enum.map(&elem(&1, 1)) |> Enum.max())
    evidence = [created: Enum.sum(created), finished: length(all), checksum: Enum.sum(for {i, _} <- all, do: i), last_ns: last]
    {length(all), evidence}
  end
end
