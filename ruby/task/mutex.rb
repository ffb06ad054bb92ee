# frozen_string_literal: true

require_relative "../harness/contest"
require_relative "../harness/program"

# k tasks want one lock, m times each, and give way inside: between reading a value and leaving it one greater.
class Section
  include Contest

  # Returns when all of them wait for the lock, which the root holds.
  def initialize(program)
    @program = program
    @nonce = @value = program.nonce
    @lock = Mutex.new
    @lock.lock
    @contended = program[:k] > 1
    @tasks = gather(program[:k])
  end

  def contend
    @lock.unlock
    acquired, passed = @tasks.map(&:value).transpose
    [acquired.sum, { finished: acquired.size, most: @most, yields: @yields, passed: passed.max, checksum: @value }]
  end

  private

  # Its acquisitions, and the most by others between two of them.
  def take(i)
    acquired = passed = 0
    own = @nonce
    @program[:m].times do
      @program.trace&.ask(i)
      @lock.synchronize do
        enter(i)
        value = @value
        passed = [passed, value - own].max
        give_way if @contended
        own = @value = value + 1
        leave(i)
      end
      acquired += 1
    end
    [acquired, passed]
  end
end

Program.run("mutex", { k: 1, m: 1 }) do |program|
  program.repeat(-> { Section.new(program) }, &:contend)
end
