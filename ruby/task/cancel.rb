# frozen_string_literal: true

require_relative "../harness/program"
require_relative "crowd"

Program.run("cancel", { n: 1 }) do |program|
  program.hold(:base, 0)
  program.repeat(-> { Crowd.new(program) }, &:cancel)
  program.hold(:released, 0)
end
