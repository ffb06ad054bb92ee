# frozen_string_literal: true

require_relative "../harness/program"
require_relative "mailbox"
require_relative "player"

# Two tasks pass a token to and fro, m times each, through queues of one: the language's, unless the variant says otherwise.
Program.run("hand-off", { m: 1 }, flags: [:mailbox]) do |program|
  boxes = -> { Array.new(2) { program[:mailbox] == 1 ? Mailbox.new : SizedQueue.new(1) } }
  program.repeat(-> { prepare(program, boxes.call, program[:m]) }) { |ring| pass(ring) }
end
