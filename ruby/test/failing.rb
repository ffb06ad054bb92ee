# frozen_string_literal: true

require_relative "../harness/program"

# A planted fault: a task that nobody joins fails while the root waits.
Program.run("planted", {}) do |program|
  program.detach(0) { raise "planted" }
  Queue.new.pop
end
