defmodule FizzbuzzSleep do
  @moduledoc "n tasks take m steps of fizzbuzz each and sleep after every one; the emulator is held still when all of them sleep."

  # Those that sleep now, and all that ever slept: the first may end before the last is there.
  @alive 1
  @asleep 2
  @ms 1_000_000

  def main do
    Corobench.run("fizzbuzz-sleep", [n: 1, m: 1, sleep_ms: 1], fn program ->
      root = self()
      alive = :atomics.new(2, [])
      hold(program, :base, alive)

      :corobench.once(program, fn _ ->
        {outcome, lateness} = run(program, alive)
        send(root, {:lateness, lateness})
        outcome
      end)

      receive do
        {:lateness, values} -> :corobench.series(:lateness, values)
      end
    end)
  end

  defp hold(program, point, alive) do
    units = :atomics.get(alive, @alive)
    :corobench.hold(program, point, units)
    units
  end

  defp run(%{params: %{n: n, m: m, sleep_ms: sleep}, trace: trace} = program, alive) do
    crowd = {n, self(), alive, trace}
    tasks = for i <- 0..(n - 1), do: Corobench.async(trace, i, fn -> body(i, m, sleep, crowd) end)

    receive do
      :asleep -> :ok
    end

    most_alive = hold(program, :live, alive)
    {steps, sums, lateness} = tasks |> collect(trace) |> :lists.unzip3()
    evidence = [finished: length(steps), steps: Enum.sum(steps), checksum: Enum.sum(sums), most_alive: most_alive]
    {{Enum.sum(steps), evidence}, lateness}
  end

  defp collect(tasks, trace) do
    for {task, i} <- Enum.with_index(tasks) do
      result = Task.await(task, :infinity)
      :corobench_trace.collect(trace, i)
      result
    end
  end

  # The steps that a task did, what they were worth, and how many nanoseconds late its last sleep ended.
  defp body(task, m, sleep, {_, _, alive, _} = crowd) do
    done =
      Enum.reduce(0..(m - 1), {0, 0, 0}, fn x, {steps, sum, _} ->
        worth = Fizzbuzz.worth(task + x)
        if x == 0, do: enter(task, crowd)
        {steps + 1, sum + worth, oversleep(sleep)}
      end)

    :atomics.sub(alive, @alive, 1)
    done
  end

  # A task counts itself as its last act before its first sleep; the last of all tells the root.
  defp enter(task, {n, root, alive, trace}) do
    :corobench_trace.park(trace, task)
    :atomics.add(alive, @alive, 1)
    if :atomics.add_get(alive, @asleep, 1) == n, do: send(root, :asleep)
  end

  defp oversleep(sleep) do
    start = now()
    Process.sleep(sleep)
    max(0, now() - start - sleep * @ms)
  end

  defp now, do: System.monotonic_time(:nanosecond)
end
