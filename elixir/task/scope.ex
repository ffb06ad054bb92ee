defmodule Scope do
  @moduledoc "m scopes of n tasks are opened one after the other: one fails, the others are shut down for it, and all are waited for."

  alias :corobench_trace, as: Trace

  @cancelled 1
  @cleaned 2

  def main do
    Corobench.run("scope", [n: 1, m: 1], fn %{params: %{n: n, m: m}, trace: trace} = program ->
      {:ok, supervisor} = Task.Supervisor.start_link()
      :corobench.repeat(program, &scopes(supervisor, &1, n, m, trace))
    end)
  end

  defp scopes(supervisor, nonce, n, m, trace) do
    counters = :counters.new(2, [:atomics])
    {created, values} = Enum.unzip(for i <- 0..(m - 1), do: open(supervisor, i, n, nonce + i, counters, trace))
    [failed, cancelled, cleaned] = [length(values), :counters.get(counters, @cancelled), :counters.get(counters, @cleaned)]
    evidence = [created: Enum.sum(created), failed: failed, cancelled: cancelled, cleaned: cleaned, checksum: Enum.sum(values)]
    {failed + cleaned, evidence}
  end

  defp open(supervisor, i, n, value, counters, trace) do
    Trace.open(trace, i)
    closed = scope(supervisor, i * n, n, value, counters, trace)
    Trace.close(trace, i)
    closed
  end

  # How many children it started, and the value of the first that failed. It tells all others to end before it waits for any.
  defp scope(supervisor, first, n, value, counters, trace) do
    root = self()
    last = first + n - 1
    waiting = for i <- first..(last - 1)//1, do: start(supervisor, i, fn -> wait(i, root, counters, trace) end, trace)
    failing = start(supervisor, last, fn -> fail(last, value, trace) end, trace)

    for _ <- waiting do
      receive do
        :waiting -> :ok
      end
    end

    send(failing.pid, :all_wait)
    {:exit, {:failed, caught}} = Task.yield(failing, :infinity)
    for task <- waiting, do: Process.exit(task.pid, :shutdown)
    for task <- waiting, do: {:exit, :shutdown} = Task.yield(task, :infinity)
    {length(waiting) + 1, caught}
  end

  # Its end does not end who awaits it: that is what a supervisor of tasks is for.
  defp start(supervisor, i, body, trace) do
    Trace.spawn(trace, i)
    task = Task.Supervisor.async_nolink(supervisor, body)
    Trace.spawned(trace, i)
    task
  end

  # Waits for what never comes. A process that traps exits is told of them by a message: that is how a GenServer comes to terminate/2.
  defp wait(i, root, counters, trace) do
    Trace.run(trace, i)
    Process.flag(:trap_exit, true)
    send(root, :waiting)

    try do
      receive do
        {:EXIT, _, :shutdown} ->
          :counters.add(counters, @cancelled, 1)
          exit(:shutdown)
      end
    after
      :counters.add(counters, @cleaned, 1)
      Trace.done(trace, i)
    end
  end

  # Fails when it is told that the others wait.
  defp fail(i, value, trace) do
    Trace.run(trace, i)

    receive do
      :all_wait ->
        Trace.fail(trace, i)
        exit({:failed, value})
    end
  end
end
