# frozen_string_literal: true

require_relative "../../harness/program"
require_relative "../mailbox"
require_relative "../place"
require_relative "../player"

OWN = { Fibers => Place, Threads => Mailbox }.freeze

# Two tasks pass a token to and fro, m times each, through queues of our own with room for one.
Program.run("hand-off", { m: 1 }) do |program|
  own = OWN.fetch(Program.kind)
  program.repeat(-> { prepare(program, Array.new(2) { own.new }, program[:m]) }) { |ring| pass(program, ring) }
end
