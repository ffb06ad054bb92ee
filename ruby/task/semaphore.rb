# frozen_string_literal: true

require_relative "../harness/contest"
require_relative "../harness/program"

# k tasks want one of s permits, m times each, and give way while they have it. The language has no semaphore: the permits are
# the room of a bounded queue.
class Room
  include Contest

  # Returns when all of them wait for a permit; the root holds all.
  def initialize(program)
    @program = program
    @nonce = program.nonce
    @entered = 0
    k, s = program[:k], program[:s]
    @contended = k > s
    @permits = SizedQueue.new(s)
    s.times { @permits.push(true) }
    @tasks = gather(k)
  end

  def share
    @permits.max.times { @permits.pop }
    taken, passed = @tasks.map(&:value).transpose
    checksum = taken.sum
    ops = checksum - (taken.size * @nonce)
    [ops, { finished: taken.size, most: @most, yields: @yields, passed: passed.max, checksum: checksum }]
  end

  private

  # Its permits, counted from the nonce on, and the most that others took between two of them.
  def take(i)
    taken = @nonce
    own = passed = 0
    @program[:m].times do
      @program.trace&.ask(i)
      @permits.push(true)
      enter(i)
      number = @entered += 1
      passed = [passed, number - own - 1].max
      give_way if @contended
      own = number
      leave(i)
      @permits.pop
      taken += 1
    end
    [taken, passed]
  end
end

Program.run("semaphore", { k: 1, s: 1, m: 1 }) do |program|
  program.repeat(-> { Room.new(program) }, &:share)
end
