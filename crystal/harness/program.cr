require "json"
require "./arguments"

lib LibC
  CLOCK_PROCESS_CPUTIME_ID = 2
end

# One process: its arguments, the lines that it owes the runner, and the loop that times its operation.
class Program
  MOST_ITERATIONS =        10_000
  MS              = 1_000_000_i64

  getter trace : Array({String, Int64, String})?

  @lines = [] of String
  @done = 0_i64
  @number = -1_i64
  @cpu_ns = 0_i64
  @start_ns = 0_i64
  # The identity of an object is given anew once it is gone, so none of them goes.
  @seen = Set(Fiber).new

  # The name by which this process was called: the workload.
  class_getter name : String { File.basename(PROGRAM_NAME) }

  # Runs a workload to its last line, if it is this process's; what goes wrong ends the process, with 2 for a wrong command line.
  def self.run(workload : String, rules, flags = [] of String, & : Program ->) : Nil
    return unless name == workload
    program = Program.new(workload, rules.to_h.map { |key, rule| {key.to_s, rule.as(Arguments::Rule)} }.to_h, flags)
    yield program
    program.finish
    exit
  rescue error : Arguments::Usage
    STDERR.puts "usage: #{error.message}"
    exit 2
  rescue error
    fail(error)
  end

  # What is reached where no workload has the process's name.
  def self.unknown : NoReturn
    STDERR.puts "usage: call this by the name of a workload, not as #{name}"
    exit 2
  end

  # An exception in a fiber would end that fiber alone.
  def self.fail(error : Exception) : NoReturn
    error.inspect_with_backtrace(STDERR)
    exit 1
  end

  def self.clock(id = LibC::CLOCK_MONOTONIC) : Int64
    raise RuntimeError.from_errno("clock_gettime") if LibC.clock_gettime(id, out time) != 0
    time.tv_sec.to_i64 * 1_000_000_000 + time.tv_nsec
  end

  # User and system time of the process.
  def self.cpu : Int64
    clock(LibC::CLOCK_PROCESS_CPUTIME_ID)
  end

  def initialize(workload : String, rules : Hash(String, Arguments::Rule), flags : Array(String))
    @values = Arguments.parse(ARGV, rules, flags)
    @trace = [] of {String, Int64, String} if self["trace"] == 1
    STDOUT.sync = false
    STDOUT.puts({
      type: "hello", protocol: 1, runtime: ENV["COROBENCH_RUNTIME"]? || raise(Arguments::Usage.new("COROBENCH_RUNTIME is not set")),
      version: Crystal::VERSION, language_version: Crystal::VERSION, workload: workload, params: @values.select(rules.keys),
      settings: {release: {{ flag?(:release) }}, threads: {{ flag?(:preview_mt) }}, gc: {{ !flag?(:gc_none) }}, precise_timers: ENV.has_key?("EVENT_PRECISE_TIMER")},
    }.to_json)
  end

  def [](key : String) : Int64
    @values[key].as(Int64)
  end

  def word(key : String) : String
    @values[key].as(String)
  end

  # The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
  def nonce : Int64
    self["nonce"] + @done
  end

  # Records who runs when, where a trace was asked for.
  def record(kind : String, i : Int64) : Nil
    return unless trace = @trace
    @seen << Fiber.current
    trace << {kind, i, Fiber.current.name == "main" ? "main" : "fiber-#{Fiber.current.object_id}"}
  end

  # The number of the next task that others than the root start.
  def next_number : Int64
    @number += 1
  end

  # Starts task i, whose body is the block. With runs: false it records by itself when it runs.
  macro start(program, i, runs = true, &block)
    %program, %i = {{program}}, {{i}}
    %program.record("spawn", %i)
    spawn do
      {% if runs %} %program.record("run", %i) {% end %}
      {{block.body}}
      %program.record("done", %i)
    rescue %error
      Program.fail(%error)
    end
    %program.record("spawned", %i)
  end

  # Gives way until the block says so.
  def self.yield_until(& : -> Bool) : Nil
    until yield
      Fiber.yield
    end
  end

  # The time that an iteration took, in nanoseconds. The operation returns its operations and its evidence.
  def lap(& : -> {Int64, E}) : Int64 forall E
    @cpu_ns = Program.cpu
    @start_ns = Program.clock
    ops, evidence = yield
    elapsed = Program.clock - @start_ns
    cpu = Program.cpu - @cpu_ns
    @lines << {type: "iteration", index: @done, elapsed_ns: elapsed, cpu_ns: cpu, ops: ops, evidence: evidence}.to_json
    @done += 1
    elapsed
  end

  # Times the operation until that is enough; what `prepare` returns before each time is handed to it, untimed.
  def repeat(prepare : -> P, & : P -> {Int64, E}) : Nil forall P, E
    warm = 0_i64
    loop do
      prepared = prepare.call
      elapsed = lap { yield prepared }
      warm += elapsed if @done > 1
      return if @trace || @done >= MOST_ITERATIONS
      return if @done >= self["iterations"] && warm >= self["min_warm_ms"] * MS
    end
  end

  def repeat(& : -> {Int64, E}) : Nil forall E
    repeat(->{ nil }) { yield }
  end

  # Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration
  # that is under way.
  def hold(point : String, units : Int64) : Nil
    cpu, start = Program.cpu, Program.clock
    record("hold", -1)
    STDOUT.puts({type: "hold", point: point, units: units}.to_json)
    STDOUT.flush
    # A read of standard input would go through the event loop.
    byte = 0_u8
    until byte === '\n'
      raise "stdin ended at the hold #{point}: the runner is gone" unless LibC.read(0, pointerof(byte), 1) == 1
    end
    @start_ns += Program.clock - start
    @cpu_ns += Program.cpu - cpu
  end

  # As it is, and after a forced collection.
  def hold_twice(point : String, units : Int64) : Nil
    hold(point, units)
    GC.collect
    hold("#{point}-collected", units)
  end

  # Raw samples in nanoseconds, in the order in which they happened.
  def series(name : String, values : Array(Int64)) : Nil
    @lines << {type: "series", name: name, values: values}.to_json
  end

  def finish : Nil
    @lines.each { |line| STDOUT.puts line }
    STDOUT.puts({type: "trace", events: @trace}.to_json) if @trace
    STDOUT.puts({type: "end"}.to_json)
    STDOUT.flush
  end
end
