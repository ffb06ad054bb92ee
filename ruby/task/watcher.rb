# frozen_string_literal: true

# Looks at every resume. It is there only with trace=1 or count=1, which are never timed.
class Watcher
  attr_reader :switches

  def initialize(trace)
    @trace = trace
    @switches = 0
  end

  def resumed(task)
    @trace&.run(task)
    @switches += 1 if @last != task
    @last = task
  end
end
