# frozen_string_literal: true

require_relative "../harness/program"
require_relative "player"

# Two tasks pass a token to and fro, m times each, through queues of one.
Program.run("hand-off", { m: 1 }) do |program|
  program.repeat(-> { prepare(program, Array.new(2) { SizedQueue.new(1) }, program[:m]) }) { |ring| pass(program, ring) }
end
