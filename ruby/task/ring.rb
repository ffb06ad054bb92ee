# frozen_string_literal: true

require_relative "../harness/program"
require_relative "player"

# k tasks, each waiting at a queue of one; returns when all are about to wait.
def prepare(program)
  k = program[:k]
  boxes = Array.new(k) { SizedQueue.new(1) }
  arrived = Queue.new
  players = Array.new(k) do |i|
    program.start_resuming(i) do
      arrived << i
      play(i, boxes[i], boxes[(i + 1) % k], program[:rounds], program.trace)
    end
  end
  k.times { arrived.pop }
  [boxes, players]
end

# Passes a token round the ring.
def pass((boxes, players))
  boxes[0].push(0)
  joined(players, boxes[0])
end

Program.run("ring", { k: 1, rounds: 1 }) do |program|
  program.repeat(-> { prepare(program) }) { |ring| pass(ring) }
end
