require "../harness/program"

# Each fiber starts the next as its last act; the root waits for the last one only.
private class Chain
  @finished = 0_i64
  @checksum = 0_i64
  @ended = Channel(Nil).new

  def initialize(@program : Program, @last : Int64)
  end

  def link(i : Int64) : Nil
    Program.start(@program, i) do
      @checksum += i
      @finished += 1
      i < @last ? link(i + 1) : @ended.close
    end
  end

  def run(first : Int64)
    link(first)
    @ended.receive?
    {@finished, {finished: @finished, checksum: @checksum}}
  end
end

Program.run("spawn-chain", {n: 1_i64}) do |program|
  program.repeat { Chain.new(program, program.nonce + program["n"] - 1).run(program.nonce) }
end
