require "../harness/program"

# The error of a child, by whose value the root knows it.
private class Failure < Exception
  getter value : Int64

  def initialize(@value)
    super("failed with #{@value}")
  end
end

# Crystal has no scopes: the first error is kept and closes a channel that all children watch, and each tells of its end.
private class Group
  # Closed when the children are to end.
  getter stop = Channel(Nil).new
  @ended : Channel(Exception?)
  @children = 0

  def initialize(@program : Program, n : Int64)
    @ended = Channel(Exception?).new(n.to_i)
  end

  def start(i : Int64, &child : ->) : Nil
    @children += 1
    @program.record("spawn", i)
    spawn do
      child.call
      @ended.send(nil)
    rescue error
      @stop.close
      @ended.send(error)
    end
    @program.record("spawned", i)
  end

  # Raises the first error when all have ended.
  def wait : Nil
    first = nil
    @children.times do
      error = @ended.receive
      first ||= error
    end
    raise first if first
  end
end

# m groups, one after the other, of n children each, of which one fails.
private class Scopes
  @created = 0_i64
  @failed = 0_i64
  @cancelled = 0_i64
  @cleaned = 0_i64
  @checksum = 0_i64

  def initialize(@program : Program)
  end

  def run
    n, m = @program["n"], @program["m"]
    m.times do |i|
      @program.record("open", i)
      begin
        open(i * n, n, @program.nonce + i)
      rescue failure : Failure
        @failed += 1
        @checksum += failure.value
      end
      @program.record("close", i)
    end
    {@cleaned + @failed, {created: @created, failed: @failed, cancelled: @cancelled, cleaned: @cleaned, checksum: @checksum}}
  end

  # Starts the children and returns when all have ended.
  private def open(first : Int64, n : Int64, value : Int64) : Nil
    group = Group.new(@program, n)
    waiting = Channel(Nil).new(n.to_i)
    last = first + n - 1
    (first...last).each do |i|
      group.start(i) { park(i, group.stop, waiting) }
      @created += 1
    end
    group.start(last) { fail(last, n - 1, waiting, value) }
    @created += 1
    group.wait
  end

  # Waits for what never comes, or for the group to stop.
  private def park(i : Int64, stop : Channel(Nil), waiting : Channel(Nil)) : Nil
    @program.record("run", i)
    waiting.send(nil)
    stop.receive?
    @cancelled += 1 if stop.closed?
  ensure
    @cleaned += 1
    @program.record("done", i)
  end

  # Fails when all of its siblings wait.
  private def fail(i : Int64, siblings : Int64, waiting : Channel(Nil), value : Int64) : Nil
    @program.record("run", i)
    siblings.times { waiting.receive }
    @program.record("fail", i)
    raise Failure.new(value)
  end
end

Program.run("scope", {n: 2_i64, m: 1_i64}) do |program|
  program.repeat { Scopes.new(program).run }
end
