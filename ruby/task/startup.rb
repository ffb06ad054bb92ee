# frozen_string_literal: true

# The smallest process, or one task. The harness is loaded only for other words than these, and for the report that verify asks for.
def first_task
  return Thread.new { 1 }.value if ENV["COROBENCH_TASKS"] == "thread"

  require_relative "../harness/tasks"
  result = nil
  Fibers.new.root { result = Fibers.new.start { 1 }.value }
  result
end

if ARGV == ["mode=first-task"]
  exit(first_task == 1)
elsif ARGV != ["mode=bare"]
  require_relative "startup_report"
  report
end
