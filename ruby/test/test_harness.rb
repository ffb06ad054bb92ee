# frozen_string_literal: true

require "json"
require "minitest/autorun"
require "open3"
require_relative "../harness/program"
require_relative "../task/mailbox"
require_relative "../task/place"
require_relative "../task/player"

# The command line.
class ArgumentsTest < Minitest::Test
  def parse(words)
    Arguments.new(words.split, { n: 1, phase: %w[base spawn] }, flags: [:count])
  end

  def test_values_and_defaults
    arguments = parse("n=7 phase=spawn")
    assert_equal({ n: 7, phase: "spawn" }, arguments.params)
    assert_equal([7, 1, 0, 0, 0, 0], %i[n iterations min_warm_ms trace nonce count].map { |key| arguments[key] })
    assert_equal(1, parse("n=7 phase=base count=1")[:count])
  end

  def test_wrong_ones_are_refused
    {
      "" => "n is missing", "n" => '"n" is not key=value', "n=1 n=2" => "n is given twice", "m=1" => "unknown key m",
      "n=0 phase=base" => "n=0 must be an integer of at least 1", "n=1.5 phase=base" => "n=1.5 must be an integer of at least 1",
      "n=1 phase=base nonce=-1" => "nonce=-1 must be an integer of at least 0",
      "n=1 phase=base trace=2" => "trace=2 must be 0 or 1", "n=1 phase=x" => "phase=x must be one of base, spawn"
    }.each do |words, message|
      assert_equal(message, assert_raises(UsageError) { parse(words) }.message)
    end
  end
end

# The scheduler of fibers.
class SchedulerTest < Minitest::Test
  # What the fibers said, in their order. A thread of its own, because a thread keeps its scheduler.
  def said
    log = []
    Thread.new { Fibers.new.root { yield log } }.tap { |thread| thread.report_on_exception = false }.join
    log
  end

  def test_fibers_wait_for_their_turn_and_pass_it_on
    log = said do |out|
      3.times { |i| Fiber.schedule { 2.times { |turn| out << [turn, i] && sleep(0) } } }
      out << :root
    end
    assert_equal([:root, [0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]], log)
  end

  # By a clock that stands still until all sleep, and then is past their times.
  def test_the_earliest_timer_is_first
    log = said do |out|
      time = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      Fiber.scheduler.define_singleton_method(:now) { time }
      [0.02, 0.001, 0.01].each { |s| Fiber.schedule { sleep(s) && out << s } }
      sleep(0)
      out << :asleep
      time += 1
    end
    assert_equal([:asleep, 0.001, 0.01, 0.02], log)
  end

  def test_a_queue_hands_over
    log = said do |out|
      queue = SizedQueue.new(1)
      Fiber.schedule { 3.times { out << queue.pop } }
      3.times { |i| queue.push(i) }
    end
    assert_equal([0, 1, 2], log)
  end

  def test_a_fiber_that_waits_is_not_collected
    log = said do |out|
      queue = Queue.new
      Fiber.schedule do
        20.times { GC.start && sleep(0) }
        queue << :woken
      end
      Fiber.schedule { out << queue.pop }
    end
    assert_equal([:woken], log)
  end

  def test_fibers_that_wait_for_each_other_are_told_of
    error = assert_raises(RuntimeError) { said { Queue.new.pop } }
    assert_equal("every fiber waits for another", error.message)
  end

  def test_a_killed_fiber_cleans_up
    log = said do |out|
      task = Fibers.new.start_killable do
        Queue.new.pop
      ensure
        out << :cleaned
      end
      sleep(0)
      task.kill
      out << task.value
    end
    assert_equal([:cleaned, nil], log)
  end
end

# The tasks of hand-off and ring.
class PlayersTest < Minitest::Test
  Starter = Struct.new(:tasks, :trace) do
    def start_resuming(_number, &body)
      tasks.start(&body)
    end
  end

  def test_all_wait_before_the_token_is_sent
    waiting = received = nil
    tasks = Fibers.new
    boxes = Array.new(3) { SizedQueue.new(1) }
    root = lambda do
      _, players = prepare(Starter.new(tasks), boxes, 2)
      waiting = boxes.map(&:num_waiting)
      boxes[0].push(0)
      received = players.sum(&:value)
    end
    Thread.new { tasks.root(&root) }.join
    assert_equal([[1, 1, 1], 6, 6], [waiting, received, boxes[0].pop])
  end
end

# The mailbox of hand-off.
class MailboxTest < Minitest::Test
  def test_it_hands_over_between_threads_and_has_room_for_one
    box = Mailbox.new
    reader = Thread.new { box.pop }
    Thread.pass until reader.stop?
    box.push(1)
    assert_equal(1, reader.value)
    box.push(2)
    assert_raises(ThreadError) { box.push(3) }
    assert_equal(2, box.pop)
  end
end

# That of fibers.
class PlaceTest < Minitest::Test
  def test_it_hands_over_between_fibers_and_has_room_for_one
    taken = []
    place = Place.new
    root = lambda do
      Fiber.schedule { 2.times { taken << place.pop } }
      sleep(0)
      2.times do |i|
        place.push(i)
        sleep(0)
      end
      place.push(2)
      taken << assert_raises(FiberError) { place.push(3) }.class
    end
    Thread.new { Fibers.new.root(&root) }.tap { |thread| thread.report_on_exception = false }.join
    assert_equal([0, 1, FiberError], taken)
  end
end

# Whole programs.
class ProgramsTest < Minitest::Test
  TASKS = File.expand_path("../task", __dir__)
  # What the checksum of a workload is by its contract, for a nonce.
  CHECKSUMS = {
    "baseline" => [%w[n=10], ->(nonce) { (10 * nonce) + 45 }],
    "spawn" => [%w[n=10], ->(nonce) { (10 * nonce) + 45 }],
    "spawn-chain" => [%w[n=10], ->(nonce) { (10 * nonce) + 45 }],
    "tree" => [%w[n=10], ->(nonce) { (10 * nonce) + 45 }],
    "fan-in" => [%w[p=2 m=5], ->(nonce) { 5 * ((2 * nonce) + 3) }],
    "hand-off" => [%w[m=5], ->(nonce) { nonce + 10 }],
    "limit/hand-off" => [%w[m=5], ->(nonce) { nonce + 10 }],
    "ring" => [%w[k=3 rounds=5], ->(nonce) { nonce + 15 }],
    "switch" => [%w[k=3 m=10], ->(nonce) { 3 * (nonce + 10) }]
  }.freeze
  # The evidence of primitives, but for `passed`.
  EVIDENCE = {
    "mutex" => [%w[k=3 m=5], ->(nonce) { { "finished" => 3, "most" => 1, "yields" => 15, "checksum" => nonce + 15 } }],
    "semaphore" => [%w[k=5 s=2 m=4], ->(nonce) { { "finished" => 5, "most" => 2, "yields" => 20, "checksum" => 5 * (nonce + 4) } }],
    "sleep-zero" => [%w[k=3 m=4], ->(nonce) { { "finished" => 3, "checksum" => 3 * (nonce + 4) } }],
    "cancel-loaded" => [%w[n=10 k=3], ->(_) { { "created" => 10, "cancelled" => 10, "finished" => 10, "active" => 3 } }]
  }.freeze

  def run_program(kind, file, *words, input: "")
    env = { "COROBENCH_RUNTIME" => "test", "COROBENCH_TASKS" => kind }
    out, err, status = Open3.capture3(env, RbConfig.ruby, "--disable-gems", file, *words, stdin_data: input)
    [status.exitstatus, out.lines.map { |line| JSON.parse(line) }, err]
  end

  def evidence(kind, name, *words)
    run_program(kind, "#{TASKS}/#{name}.rb", *words)[1][1]["evidence"]
  end

  def checksums(lines)
    lines.filter_map { |line| line["evidence"] }.map { |evidence| evidence["checksum"] }
  end

  %w[fiber thread].each do |kind|
    define_method("test_it_iterates_as_often_as_asked_with_a_#{kind}") do
      status, lines, err = run_program(kind, "#{TASKS}/spawn.rb", "n=10", "iterations=7")
      assert_equal([0, ""], [status, err])
      assert_equal(%w[hello] + (["iteration"] * 7) + %w[end], lines.map { |line| line["type"] })
      assert_equal({ "created" => 10, "finished" => 10, "checksum" => 45 }, lines[1]["evidence"])
    end

    define_method("test_results_with_a_#{kind}_contain_the_nonce_which_rises_by_one_with_each_iteration") do
      CHECKSUMS.each do |name, (words, checksum)|
        status, lines, err = run_program(kind, "#{TASKS}/#{name}.rb", *words, "nonce=1000000", "iterations=3")
        assert_equal([0, ""], [status, err], name)
        assert_equal([1_000_000, 1_000_001, 1_000_002].map(&checksum), checksums(lines), name)
      end
    end

    define_method("test_tasks_with_a_#{kind}_are_numbered_from_the_nonce_on_in_a_trace_as_well") do
      { "spawn" => 1_000_000, "spawn-chain" => 1_000_000, "tree" => 0 }.each do |name, first|
        _, lines, = run_program(kind, "#{TASKS}/#{name}.rb", "n=1", "nonce=1000000", "trace=1")
        assert_equal([first], lines[2]["events"].map { |event| event[1] }.uniq, name)
      end
    end

    define_method("test_a_#{kind}_that_fails_ends_with_one") do
      status, lines, err = run_program(kind, "#{__dir__}/failing.rb")
      assert_equal([1, %w[hello]], [status, lines.map { |line| line["type"] }])
      assert_includes(err, "planted")
    end

    define_method("test_memory_with_a_#{kind}_holds_at_every_point") do
      _, lines, = run_program(kind, "#{TASKS}/memory.rb", "n=30", "nonce=1000000", input: "\n" * 5)
      holds = lines.select { |line| line["type"] == "hold" }
      assert_equal([0, 30, 30, 0, 0], holds.map { |line| line["units"] })
      assert_equal([30_000_435], checksums(lines))
      assert_equal(1, run_program(kind, "#{TASKS}/memory.rb", "n=30").first)
    end

    define_method("test_primitives_with_a_#{kind}_are_counted_anew_in_each_iteration") do
      EVIDENCE.each do |name, (words, expected)|
        status, lines, err = run_program(kind, "#{TASKS}/#{name}.rb", *words, "nonce=1000000", "iterations=3")
        assert_equal([0, ""], [status, err], name)
        counted = lines.filter_map { |line| line["evidence"]&.except("passed") }
        assert_equal([1_000_000, 1_000_001, 1_000_002].map(&expected), counted, name)
      end
    end

    # Whoever comes last to its first turn has been passed by all others, and by no more than all of their turns.
    define_method("test_passed_with_a_#{kind}_counts_the_turns_of_others") do
      { "mutex" => "k=3 m=5", "semaphore" => "k=3 s=1 m=5" }.each do |name, words|
        assert_includes(2..10, evidence(kind, name, *words.split)["passed"], name)
      end
      { "mutex" => "k=1 m=5", "semaphore" => "k=1 s=1 m=5" }.each do |name, words|
        assert_equal([0, 0], evidence(kind, name, *words.split).values_at("passed", "yields"), name)
      end
    end

    define_method("test_each_message_comes_to_one_consumer_with_a_#{kind}") do
      counts = evidence(kind, "channel", "p=3", "c=4", "b=2", "m=10", "nonce=1000000")
      assert_equal({ "finished" => 7, "messages" => 30, "checksum" => 30_000_435 }, counts.except("most"))
      assert_includes(8..30, counts["most"])
    end

    define_method("test_every_#{kind}_of_every_burst_tells_when_it_first_ran") do
      _, lines, err = run_program(kind, "#{TASKS}/burst.rb", "n=10", "bursts=3", "idle_ms=1", "nonce=1000000")
      starts = lines[2]["values"]
      last = starts.each_slice(10).sum(&:max)
      assert_equal({ "created" => 30, "finished" => 30, "checksum" => 30_000_435, "last_ns" => last }, lines[1]["evidence"], err)
      assert_equal(30, starts.size)
      assert(starts.none?(&:negative?))
    end

    define_method("test_every_tick_is_taken_while_every_other_#{kind}_yields") do
      _, lines, err = run_program(kind, "#{TASKS}/ticker.rb", "k=3", "ticks=50", "period_us=1000")
      counts = lines[1]["evidence"]
      assert_equal([50, { "finished" => 4, "active" => 3 }], [lines[1]["ops"], counts.except("yields")], err)
      assert_operator(counts["yields"], :>=, 3)
      assert_equal(50, lines[2]["values"].size)
    end

    define_method("test_sleeping_tasks_with_a_#{kind}_are_held_when_all_of_them_sleep") do
      status, lines, = run_program(kind, "#{TASKS}/fizzbuzz-sleep.rb", "n=20", "m=2", "sleep_ms=20", input: "\n" * 2)
      assert_equal(0, status)
      assert_equal([0, 20], lines.select { |line| line["type"] == "hold" }.map { |line| line["units"] })
      counts = lines.find { |line| line["type"] == "iteration" }["evidence"]
      assert_equal({ "finished" => 20, "steps" => 40, "most_alive" => 20 }, counts.except("checksum"))
    end
  end

  def test_fibers_at_their_limit_do_the_same
    _, lines, err = run_program("fiber", "#{TASKS}/limit/hand-off.rb", "m=10")
    assert_equal([{ "finished" => 2, "messages" => 20, "checksum" => 20 }, ""], [lines[1]["evidence"], err])
    _, lines, err = run_program("fiber", "#{TASKS}/limit/switch.rb", "k=3", "m=10", "count=1", "nonce=1000000")
    counts = { "finished" => 3, "resumes" => 30, "checksum" => 3_000_030, "true_switches" => 30 }
    assert_equal([counts, ""], [lines[1]["evidence"], err])
  end

  def test_a_fiber_is_resumed_by_hand
    _, lines, err = run_program("fiber", "#{TASKS}/../fiber/generator.rb", "n=5", "nonce=1000000", "iterations=3")
    assert_equal([[1_000_005, 1_000_006, 1_000_007], ""], [checksums(lines), err])
    assert_equal(1, lines[1]["evidence"]["finished"])
  end

  def test_it_never_iterates_more_than_ten_thousand_times
    assert_equal(10_002, run_program("thread", "#{TASKS}/baseline.rb", "n=1", "min_warm_ms=600000")[1].size)
  end

  def test_startup_says_nothing_unless_asked
    assert_equal([0, [], ""], run_program("fiber", "#{TASKS}/startup.rb", "mode=first-task"))
  end

  def test_a_wrong_command_line_ends_with_two
    assert_equal([2, [], "usage: n is missing\n"], run_program("fiber", "#{TASKS}/spawn.rb"))
    assert_equal(2, run_program("fiber", "#{TASKS}/spawn.rb", "n=1", "nonce=1.5").first)
    assert_equal(2, run_program("fibre", "#{TASKS}/spawn.rb", "n=1").first)
  end
end
