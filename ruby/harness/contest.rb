# frozen_string_literal: true

# What mutex and semaphore share: k tasks that all ask before they are let in, one or several at once, and give way inside. Who has
# it says in `take(i)` how it is let in, and what a task tells.
module Contest
  private

  # Returns the tasks when all of them wait for what the root holds. They may be threads: the interpreter's lock makes each step of
  # the counts whole.
  def gather(k)
    @asking = @inside = @most = @yields = 0
    tasks = Array.new(k) { |i| @program.start(i) { ask_first(i) } }
    sleep(0.001) until @asking == k
    sleep(0.001) # in which the last to ask goes on to wait
    tasks
  end

  def ask_first(i)
    @asking += 1
    take(i)
  end

  def enter(i)
    @program.trace&.enter(i)
    @inside += 1
    @most = [@most, @inside].max
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
