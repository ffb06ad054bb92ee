# frozen_string_literal: true

require "json"
require_relative "arguments"
require_relative "tasks"
require_relative "trace"

# One process: its arguments, its tasks, the lines that it owes the runner, and the loop that times its operation.
class Program
  KINDS = { "fiber" => Fibers, "thread" => Threads }.freeze
  MOST_ITERATIONS = 10_000

  attr_reader :trace

  # Runs a workload to its last line; the block gets the program. What goes wrong ends the process: 2 for a wrong command line.
  def self.run(workload, rules, flags: [], &main)
    new(workload, Arguments.new(ARGV, rules, flags: flags)).run(&main)
  rescue UsageError => e
    abort_with("usage: #{e.message}", 2)
  rescue StandardError, NotImplementedError => e
    abort_with(e.full_message(highlight: false), 1)
  end

  # Ends at once: tasks that still wait have nothing more to say.
  def self.abort_with(message, status)
    warn(message)
    exit!(status)
  end

  def initialize(workload, arguments)
    @workload = workload
    @arguments = arguments
    @tasks = Program.kind.new
    @trace = Trace.new { @tasks.unit } if arguments[:trace] == 1
    @number = -1
    @lines = []
    @done = @start_ns = @cpu_ns = 0
  end

  def self.kind
    name = ENV.fetch("COROBENCH_TASKS", "")
    KINDS.fetch(name) { raise UsageError, "COROBENCH_TASKS is #{name.inspect}, not #{KINDS.keys.join(' or ')}" }
  end

  def run
    @tasks.root do
      write(hello)
      $stdout.flush
      yield self
      @lines.each { |line| write(line) }
      write(type: :trace, events: @trace.events) if @trace
      write(type: :end)
      $stdout.flush
    end
  end

  def [](key)
    @arguments[key]
  end

  # The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
  def nonce
    self[:nonce] + @done
  end

  # Starts task i; `value` of what it returns is what the block returned.
  def start(i, &body)
    start_resuming(i) do
      @trace&.run(i)
      body.call
    end
  end

  # The same for a task that records by itself when it is resumed.
  def start_resuming(i, &body)
    return @tasks.start(&body) unless @trace

    started(i) do
      @tasks.start do
        body.call.tap { @trace.done(i) }
      end
    end
  end

  # The same for a task that others than the root start: its number is the next.
  def start_next(&body)
    start(@number += 1, &body)
  end

  # These record by themselves.
  def detach(i, &body)
    started(i) { @tasks.detach(&body) }
  end

  def start_killable(i, &body)
    started(i) { @tasks.start_killable(&body) }
  end

  # One cooperative yield.
  def pass
    @tasks.pass
  end

  # The monotonic clock, for what is timed inside an iteration.
  def self.now_ns
    Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
  end

  # Times the block until that is enough; it returns its operations and its evidence. What `prepare` returns is handed to it,
  # and then to `finish`, which are no time of the iteration.
  def repeat(prepare = nil, finish: nil, &operation)
    warm_ns = 0
    loop do
      prepared = prepare&.call
      elapsed_ns = lap(prepared, operation)
      finish&.call(prepared)
      warm_ns += elapsed_ns if @done > 1
      enough = @done >= self[:iterations] && warm_ns >= self[:min_warm_ms] * 1_000_000
      break if @trace || enough || @done >= MOST_ITERATIONS
    end
  end

  # One iteration, whatever was asked for.
  def once(&operation)
    lap(nil, operation)
  end

  # Announces a named point, and waits there until the runner has read the process from outside. That is no time of the
  # iteration that is under way.
  def hold(point, units)
    cpu_ns = now_ns(Process::CLOCK_PROCESS_CPUTIME_ID)
    start_ns = now_ns(Process::CLOCK_MONOTONIC)
    @trace&.hold
    write(type: :hold, point: point, units: units)
    $stdout.flush
    raise "stdin ended at the hold #{point}: the runner is gone" unless gets_line

    @start_ns += now_ns(Process::CLOCK_MONOTONIC) - start_ns
    @cpu_ns += now_ns(Process::CLOCK_PROCESS_CPUTIME_ID) - cpu_ns
  end

  # Raw samples in nanoseconds, in the order in which they happened.
  def series(name, values)
    @lines << { type: :series, name: name, values: values }
  end

  def write(line)
    $stdout.write(JSON.generate(line), "\n")
  end

  def hello
    {
      type: :hello, protocol: 1, runtime: ENV.fetch("COROBENCH_RUNTIME") { raise UsageError, "COROBENCH_RUNTIME is not set" },
      version: RUBY_VERSION, language_version: RUBY_VERSION, workload: @workload, params: @arguments.params, settings: settings
    }
  end

  private

  def settings
    { tasks: ENV["COROBENCH_TASKS"], engine: RUBY_ENGINE, patchlevel: RUBY_PATCHLEVEL, gc: !gc_disabled?, jit: jit?, gems: defined?(Gem) ? true : false }
  end

  # There is no question without an act: it is disabled, which says whether it was, and put back.
  def gc_disabled?
    GC.disable.tap { |disabled| GC.enable unless disabled }
  end

  def jit?
    [defined?(RubyVM::YJIT) && RubyVM::YJIT, defined?(RubyVM::MJIT) && RubyVM::MJIT].any? { |jit| jit&.enabled? }
  end

  def started(i)
    @trace&.spawn(i)
    yield.tap { @trace&.spawned(i) }
  end

  def lap(prepared, operation)
    @cpu_ns = now_ns(Process::CLOCK_PROCESS_CPUTIME_ID)
    @start_ns = now_ns(Process::CLOCK_MONOTONIC)
    ops, evidence = operation.call(prepared)
    elapsed_ns = now_ns(Process::CLOCK_MONOTONIC) - @start_ns
    cpu_ns = now_ns(Process::CLOCK_PROCESS_CPUTIME_ID) - @cpu_ns
    @lines << { type: :iteration, index: @done, elapsed_ns: elapsed_ns, cpu_ns: cpu_ns, ops: ops, evidence: evidence }
    @done += 1
    elapsed_ns
  end

  def now_ns(clock)
    Process.clock_gettime(clock, :nanosecond)
  end

  # Outside of the scheduler: nothing else is to go on meanwhile.
  def gets_line
    Fiber.new(blocking: true) { $stdin.gets }.resume
  end
end
