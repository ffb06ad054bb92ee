# frozen_string_literal: true

require_relative "../harness/program"

# Each task starts the next as its last act; the root waits for the last one only.
class Chain
  def initialize(program)
    @program = program
    @first = program.nonce
    @stop = @first + program[:n]
    @ended = Queue.new
    @finished = @checksum = 0
  end

  def measure
    follow(@first)
    @ended.pop
    [@finished, { finished: @finished, checksum: @checksum }]
  end

  private

  def follow(i)
    @program.detach(i) { link(i) }
  end

  # The end of a task is recorded before it starts the next, because threads may take over there.
  def link(i)
    @program.trace&.run(i)
    @checksum += i
    @finished += 1
    @program.trace&.done(i)
    if i + 1 < @stop
      follow(i + 1)
    else
      @ended << true
    end
  end
end

Program.run("spawn-chain", { n: 1 }) do |program|
  program.repeat { Chain.new(program).measure }
end
