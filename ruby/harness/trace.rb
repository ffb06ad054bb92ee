# frozen_string_literal: true

# Records who runs when. Programs hold nil in its place where no trace was asked for.
class Trace
  # The one traced iteration is over, and so are its tasks.
  attr_reader :events

  # `unit` tells what is running, as the runtime does.
  def initialize(&unit)
    @unit = unit
    @events = []
    @lock = Mutex.new
  end

  %w[spawn spawned run park ask enter leave done collect].each do |kind|
    define_method(kind) { |task| record(kind, task) }
  end

  def hold
    record("hold", -1)
  end

  private

  def record(kind, task)
    event = [kind, task, @unit.call]
    @lock.synchronize { @events << event }
  end
end
