defmodule Startup do
  @moduledoc "The smallest process, or one task. The harness is used only for other words, and for the report that verify asks for."

  def main do
    case System.argv() do
      ["mode=bare"] -> System.halt(0)
      ["mode=first-task"] -> System.halt(1 - first_task())
      _ -> report()
    end
  end

  defp first_task, do: Task.await(Task.async(fn -> 1 end))

  defp report do
    mode = :corobench_arguments.word([~c"bare", ~c"first-task"])

    Corobench.run("startup", [mode: mode], [report: :corobench_arguments.flag()], fn %{params: %{mode: mode}} = program ->
      :corobench.once(program, fn _ -> {1, [finished: if(mode == "bare", do: 0, else: first_task())]} end)
    end)
  end
end
