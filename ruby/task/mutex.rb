# frozen_string_literal: true

require_relative "../harness/program"

# k tasks want one lock, m times each, and give way inside: between reading a value and leaving it one greater.
class Section
  # Returns when all of them wait for the lock, which the root holds.
  def initialize(program)
    @program = program
    @nonce = @value = program.nonce
    @asking = @inside = @most = @yields = 0
    @lock = Mutex.new
    @lock.lock
    k = program[:k]
    @contended = k > 1
    @tasks = Array.new(k) { |i| program.start(i) { ask_first(i) } }
    sleep(0.001) until @asking == k
    sleep(0.001) # in which the last to ask goes on to wait
  end

  def contend
    @lock.unlock
    acquired, passed = @tasks.map(&:value).transpose
    [acquired.sum, { finished: acquired.size, most: @most, yields: @yields, passed: passed.max, checksum: @value }]
  end

  private

  def ask_first(i)
    @asking += 1
    take(i)
  end

  # Its acquisitions, and the most by others between two of them.
  def take(i)
    acquired = passed = 0
    own = @nonce
    @program[:m].times do
      @program.trace&.ask(i)
      @lock.synchronize do
        value = enter(i)
        passed = [passed, value - own].max
        give_way if @contended
        own = value + 1
        leave(i, own)
      end
      acquired += 1
    end
    [acquired, passed]
  end

  # The value that is found.
  def enter(i)
    @program.trace&.enter(i)
    @inside += 1
    @most = [@most, @inside].max
    @value
  end

  def give_way
    @program.pass
    @yields += 1
  end

  def leave(i, value)
    @value = value
    @inside -= 1
    @program.trace&.leave(i)
  end
end

Program.run("mutex", { k: 1, m: 1 }) do |program|
  program.repeat(-> { Section.new(program) }, &:contend)
end
