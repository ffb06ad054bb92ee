defmodule Cancel do
  @moduledoc "Shuts n parked tasks down, each of which cleans up, and waits for all."

  alias :corobench_trace, as: Trace

  @parked 1
  @cleaned 2

  def main do
    Corobench.run("cancel", [n: 1], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.hold(program, :base, 0)
      :corobench.repeat(program, fn -> park(n, trace) end, fn parked, _ -> cancel(parked, trace) end)
      :corobench.hold(program, :released, 0)
    end)
  end

  defp park(n, trace) do
    counters = :counters.new(2, [:atomics])
    tasks = for i <- 0..(n - 1), do: Corobench.async(trace, i, fn -> wait(counters, i, trace) end)
    Parking.await(counters, n)
    # In this time those that only gave way go on.
    Process.sleep(1)
    {tasks, counters}
  end

  # A process that traps exits is told of them by a message: that is how a GenServer comes to terminate/2.
  defp wait(counters, i, trace) do
    Process.flag(:trap_exit, true)
    :counters.add(counters, @parked, 1)

    receive do
      {:EXIT, _, :shutdown} ->
        :counters.add(counters, @cleaned, 1)
        Trace.done(trace, i)
        exit(:shutdown)
    end
  end

  defp cancel({tasks, counters}, trace) do
    waited = :counters.get(counters, @parked) - :counters.get(counters, @cleaned)
    for %Task{pid: pid} <- tasks, do: shut_down(pid)
    finished = tasks |> Enum.with_index() |> Enum.count(fn {task, i} -> ended?(task, i, trace) end)
    {finished, [created: waited, cancelled: :counters.get(counters, @cleaned), finished: finished]}
  end

  # What Task.shutdown begins with, which then waits for the one task. Its end shall not end who is linked to it.
  defp shut_down(pid) do
    Process.unlink(pid)
    Process.exit(pid, :shutdown)
  end

  defp ended?(task, i, trace) do
    {:exit, :shutdown} = Task.yield(task, :infinity)
    Trace.collect(trace, i)
    true
  end
end
