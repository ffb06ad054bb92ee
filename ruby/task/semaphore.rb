# frozen_string_literal: true

require_relative "../harness/program"

# k tasks want one of s permits, m times each, and give way while they have it. The language has no semaphore: the permits are
# the room of a bounded queue.
class Room
  # Returns when all of them wait for a permit; the root holds all.
  def initialize(program)
    @program = program
    @nonce = program.nonce
    # Tasks may be threads: the interpreter's lock makes each step of these counts whole.
    @asking = @inside = @most = @entered = @yields = 0
    k, s = program[:k], program[:s]
    @contended = k > s
    @permits = SizedQueue.new(s)
    s.times { @permits.push(true) }
    @tasks = Array.new(k) { |i| program.start(i) { ask_first(i) } }
    sleep(0.001) until @asking == k
    sleep(0.001) # in which the last to ask goes on to wait
  end

  def share
    @permits.max.times { @permits.pop }
    taken, passed = @tasks.map(&:value).transpose
    checksum = taken.sum
    ops = checksum - (taken.size * @nonce)
    [ops, { finished: taken.size, most: @most, yields: @yields, passed: passed.max, checksum: checksum }]
  end

  private

  def ask_first(i)
    @asking += 1
    take(i)
  end

  # Its permits, counted from the nonce on, and the most that others took between two of them.
  def take(i)
    taken = @nonce
    own = passed = 0
    @program[:m].times do
      @program.trace&.ask(i)
      @permits.push(true)
      number = enter(i)
      passed = [passed, number - own - 1].max
      give_way if @contended
      own = number
      leave(i)
      @permits.pop
      taken += 1
    end
    [taken, passed]
  end

  # How many permits were taken, this one included.
  def enter(i)
    @program.trace&.enter(i)
    @inside += 1
    @most = [@most, @inside].max
    @entered += 1
  end

  def give_way
    @program.pass
    @yields += 1
  end

  def leave(i)
    @inside -= 1
    @program.trace&.leave(i)
  end
end

Program.run("semaphore", { k: 1, s: 1, m: 1 }) do |program|
  program.repeat(-> { Room.new(program) }, &:share)
end
