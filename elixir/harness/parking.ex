defmodule Parking do
  @moduledoc """
  Parks n tasks, numbered from the nonce on, at one gate, a message that each waits for.
  Holds the emulator still before, while and after they live.
  """

  @parked 1

  @doc "The whole program of a memory workload: `body.(gate, i)` waits at the gate once, and returns i."
  def run(workload, body) do
    Corobench.run(workload, [n: 1], fn %{params: %{n: n}} = program ->
      :corobench.once(program, fn nonce -> measure(program, nonce, n, body) end)
    end)
  end

  @doc "Parks task i until the gate is opened."
  def wait({counters, trace}, i) do
    :corobench_trace.park(trace, i)
    :counters.add(counters, @parked, 1)

    receive do
      :open -> :counters.sub(counters, @parked, 1)
    end
  end

  defp measure(%{trace: trace} = program, first, n, body) do
    gate = {counters, _} = {:counters.new(1, [:atomics]), trace}
    hold = fn point -> :corobench.hold(program, point, :counters.get(counters, @parked)) end
    hold.(:base)
    {created, {finished, sum}} = live(first, n, gate, body, hold)
    hold.(:released)
    collect_garbage()
    hold.(:"released-collected")
    {finished, [created: created, finished: finished, checksum: sum]}
  end

  # The handles are gone when it returns.
  defp live(first, n, {counters, trace} = gate, body, hold) do
    tasks = for i <- first..(first + n - 1), do: Corobench.async(trace, i, fn -> body.(gate, i) end)
    await(counters, length(tasks))
    hold.(:live)
    collect_garbage()
    hold.(:"live-collected")
    for task <- tasks, do: send(task.pid, :open)
    {length(tasks), Corobench.await_all(tasks, trace, first)}
  end

  @doc "Returns when n tasks have counted themselves parked."
  def await(counters, n) do
    if :counters.get(counters, @parked) < n do
      Process.sleep(1)
      await(counters, n)
    end
  end

  defp collect_garbage, do: Enum.each(Process.list(), &:erlang.garbage_collect/1)
end
