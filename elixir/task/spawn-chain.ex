defmodule SpawnChain do
  @moduledoc "Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only."

  alias :corobench_trace, as: Trace

  def main do
    Corobench.run("spawn-chain", [n: 1], fn %{params: %{n: n}, trace: trace} = program ->
      :corobench.repeat(program, &chain(&1, n, trace))
    end)
  end

  defp chain(first, n, trace) do
    follow(first, %{stop: first + n, root: self(), trace: trace}, 0, 0)

    receive do
      {:ended, finished, sum} -> {finished, [finished: finished, checksum: sum]}
    end
  end

  # What has been counted so far travels along the chain. The end of a task is recorded before it starts the next, since both may run at once.
  defp link(i, chain, finished, sum) do
    Trace.run(chain.trace, i)
    Trace.done(chain.trace, i)
    follow(i + 1, chain, finished + 1, sum + i)
  end

  defp follow(stop, %{stop: stop} = chain, finished, sum), do: send(chain.root, {:ended, finished, sum})

  defp follow(i, chain, finished, sum) do
    Trace.spawn(chain.trace, i)
    {:ok, _} = Task.start_link(fn -> link(i, chain, finished, sum) end)
    Trace.spawned(chain.trace, i)
  end
end
