defmodule Corobench do
  @moduledoc "Runs programs of Elixir over the harness of Erlang, and starts their tasks."

  alias :corobench_trace, as: Trace

  @doc "The program of a workload: the module that is named after it."
  def main(workload) do
    name = workload |> String.split("-") |> Enum.map_join(&String.capitalize/1)
    apply(Module.concat([name]), :main, [])
  end

  @doc "Runs a workload to the end of the emulator; `fun` gets the program. Parameters have the least value of each, or a reader."
  def run(workload, parameters, options \\ [], fun) do
    words = Enum.map(System.argv(), &String.to_charlist/1)
    language = %{words: words, version: &System.version/0}
    :corobench.run(language, String.to_charlist(workload), readers(parameters), readers(options), fun)
  end

  defp readers(parameters) do
    for {name, rule} <- parameters, do: {name, if(is_integer(rule), do: :corobench_arguments.integer(rule), else: rule)}
  end

  @doc "Starts task `i`, whose result is awaited."
  def async(:none, _, body), do: Task.async(body)

  def async(trace, i, body) do
    async_resuming(trace, i, fn ->
      Trace.run(trace, i)
      body.()
    end)
  end

  # A closure is copied to the new process with all that it holds: where nothing is recorded there is none around the body.
  @doc "The same for a task that records by itself when it is resumed."
  def async_resuming(:none, _, body), do: Task.async(body)

  def async_resuming(trace, i, body) do
    Trace.spawn(trace, i)

    task =
      Task.async(fn ->
        result = body.()
        Trace.done(trace, i)
        result
      end)

    Trace.spawned(trace, i)
    task
  end

  @doc "How many tasks, numbered from `first` on, were awaited, and the sum of their results."
  def await_all(tasks, trace, first \\ 0) do
    {next, sum} = await_all(tasks, trace, first, 0)
    {next - first, sum}
  end

  defp await_all([], _, next, sum), do: {next, sum}

  defp await_all([task | others], trace, i, sum) do
    result = Task.await(task, :infinity)
    Trace.collect(trace, i)
    await_all(others, trace, i + 1, sum + result)
  end
end
