# frozen_string_literal: true

require_relative "../harness/program"
require_relative "crowd"

# Parked tasks are killed, clean up and are joined while k others do nothing but yield.
class Loaded
  def initialize(program)
    @program = program
    @active = 0 # those that have yielded and not ended
    @ended = false
    @load = Array.new(program[:k]) { |i| program.start(i) { yields } }
    @crowd = Crowd.new(program, @load.size)
    program.pass until @active == @load.size
  end

  def cancel
    ops, evidence = @crowd.cancel
    [ops, evidence.merge(active: @active)]
  end

  def stop
    @ended = true
    @load.each(&:value)
  end

  private

  def yields
    @program.pass
    @active += 1
    @program.pass until @ended
    @active -= 1
  end
end

Program.run("cancel-loaded", { n: 1, k: 1 }) do |program|
  program.repeat(-> { Loaded.new(program) }, finish: :stop.to_proc, &:cancel)
end
