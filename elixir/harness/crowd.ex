defmodule Crowd do
  @moduledoc "Parked tasks that are shut down, clean up and are waited for."

  alias :corobench_trace, as: Trace

  @parked 1
  @cleaned 2

  @doc "Starts n tasks, numbered from `first` on, and returns when all of them wait."
  def park(first, n, trace) do
    counters = :counters.new(2, [:atomics])
    tasks = for i <- first..(first + n - 1), do: {Corobench.async(trace, i, fn -> wait(counters, i, trace) end), i}
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

  @doc "Shuts all of them down before it waits for any."
  def cancel({tasks, counters}, trace) do
    waited = :counters.get(counters, @parked) - :counters.get(counters, @cleaned)
    for {%Task{pid: pid}, _} <- tasks, do: shut_down(pid)
    finished = Enum.count(tasks, fn {task, i} -> ended?(task, i, trace) end)
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
