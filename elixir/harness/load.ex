defmodule Load do
  @moduledoc "Tasks that do nothing but yield until they are told to end."

  @doc "How often it yielded."
  def yields(count \\ 0) do
    receive do
      :stop -> count
    after
      0 ->
        :erlang.yield()
        yields(count + 1)
    end
  end

  @doc "Tells all tasks to end, and awaits how often each yielded."
  def stop(tasks) do
    for task <- tasks, do: send(task.pid, :stop)
    Task.await_many(tasks, :infinity)
  end
end
