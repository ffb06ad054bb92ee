# frozen_string_literal: true

require_relative "../harness/program"
require_relative "mailbox"
require_relative "player"

# Two tasks pass a token to and fro, m times each, through queues of one: the language's, unless the variant says otherwise.
def alternate(program)
  boxes = Array.new(2) { program[:mailbox] == 1 ? Mailbox.new : SizedQueue.new(1) }
  players = Array.new(2) do |i|
    program.start_resuming(i) { play(i, boxes[i], boxes[1 - i], program[:m], program.trace) }
  end
  boxes[0].push(0)
  joined(players, boxes[0])
end

Program.run("hand-off", { m: 1 }, flags: [:mailbox]) do |program|
  program.repeat { alternate(program) }
end
