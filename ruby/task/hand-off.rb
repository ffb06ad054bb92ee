# frozen_string_literal: true

require_relative "../harness/program"
require_relative "mailbox"
require_relative "place"
require_relative "player"

OWN = { Fibers => Place, Threads => Mailbox }.freeze

# Two tasks pass a token to and fro, m times each, through queues of one: the language's, unless the variant says otherwise.
Program.run("hand-off", { m: 1 }, flags: [:limit]) do |program|
  own = OWN.fetch(Program.kind)
  boxes = -> { Array.new(2) { program[:limit] == 1 ? own.new : SizedQueue.new(1) } }
  program.repeat(-> { prepare(program, boxes.call, program[:m]) }) { |ring| pass(ring) }
end
