defmodule HandOff do
  @moduledoc "Two tasks send a token to and fro, m times each: tagged, or with limit=1 the bare number."

  def main do
    Corobench.run("hand-off", [m: 1], [limit: :corobench_arguments.flag()], fn %{params: %{m: m} = params, trace: trace} = program ->
      form = if params[:limit] == 1, do: :bare, else: :tagged
      :corobench.repeat(program, fn -> Player.prepare(2, m, trace, form) end, fn players -> Player.pass(players, trace, form) end)
    end)
  end
end
