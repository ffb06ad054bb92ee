# frozen_string_literal: true

require_relative "../harness/program"

# One task wakes on an absolute schedule while k others do nothing but yield.
class Ticker
  attr_reader :lateness # of each tick, in nanoseconds

  def initialize(program)
    @program = program
    @period_ns = program[:period_us] * 1_000
    @running = 0
    @ended = false
    @lateness = []
  end

  def measure
    k = @program[:k]
    load = Array.new(k) { |i| @program.start(i) { yields } }
    @program.pass until @running == k
    ticks = @program.start(k) { tick }.value
    @ended = true
    counts = load.map(&:value)
    [ticks, { finished: counts.size + 1, active: counts.count(&:positive?), yields: counts.sum }]
  end

  private

  # How often it yielded.
  def yields
    @running += 1
    count = 0
    until @ended
      @program.pass
      count += 1
    end
    count
  end

  # How many ticks it took; one that is overdue it takes without a sleep.
  def tick
    due = Program.now_ns
    @program[:ticks].times do
      due += @period_ns
      left = due - Program.now_ns
      sleep(left / 1e9) if left.positive?
      @lateness << [Program.now_ns - due, 0].max
    end
    @lateness.size
  end
end

Program.run("ticker", { k: 1, ticks: 1, period_us: 1 }) do |program|
  ticker = Ticker.new(program)
  program.once { ticker.measure }
  program.series("lateness", ticker.lateness)
end
