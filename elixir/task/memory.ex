defmodule Memory do
  @moduledoc "Parks n tasks that hold nothing but their number."

  def main do
    Parking.run("memory", fn gate, i ->
      Parking.wait(gate, i)
      i
    end)
  end
end
