defmodule MemoryState do
  @moduledoc "Parks n tasks, each eight calls deep with 1 KiB of its own."

  @depth 8
  @size 1024
  @values 251

  def main do
    Parking.run("memory-state", fn gate, i ->
      {@depth, result} = descend(gate, i, 1)
      result
    end)
  end

  # What a level adds to the answer keeps its call from being one in tail position, which would leave no frame.
  defp descend(gate, i, @depth) do
    state = :binary.copy(<<rem(i, @values)>>, @size)
    Parking.wait(gate, i)
    {1, i - rem(i, @values) + :binary.last(state)}
  end

  defp descend(gate, i, level) do
    {frames, result} = descend(gate, i, level + 1)
    {frames + 1, result}
  end
end
