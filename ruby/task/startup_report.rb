# frozen_string_literal: true

require_relative "../harness/program"

# What verify reads of the startup program, and how that refuses other words; a measured start never loads it.
def report
  Program.run("startup", { mode: %w[bare first-task] }, flags: [:report]) do |program|
    program.once { [1, { finished: program[:mode] == "bare" ? 0 : program.start(0) { 1 }.value }] }
  end
end
