# frozen_string_literal: true

require_relative "../harness/program"
require_relative "player"

# k tasks, each waiting at a queue of one, pass a token round.
Program.run("ring", { k: 1, rounds: 1 }) do |program|
  boxes = -> { Array.new(program[:k]) { SizedQueue.new(1) } }
  program.repeat(-> { prepare(program, boxes.call, program[:rounds]) }) { |ring| pass(program, ring) }
end
