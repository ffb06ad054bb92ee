require "spec"
require "json"
require "../harness/arguments"

private RULES = {"n" => 1_i64.as(Arguments::Rule), "phase" => ["base", "spawn"].as(Arguments::Rule)}

private def parse(words : String)
  Arguments.parse(words.split, RULES, ["count"])
end

private record Said, status : Int32, output : String, errors : String do
  def lines(type : String) : Array(JSON::Any)
    output.lines.map { |line| JSON.parse(line) }.select { |line| line["type"] == type }
  end

  def evidence(name : String) : Array(Int64)
    lines("iteration").map { |line| line["evidence"][name].as_i64 }
  end
end

private def program(words : String, input = "") : Said
  name, *arguments = words.split
  output, errors = IO::Memory.new, IO::Memory.new
  status = Process.run("#{ENV["PROGRAMS"]}/#{name}", arguments, {"COROBENCH_RUNTIME" => "test"}, input: IO::Memory.new(input), output: output, error: errors)
  Said.new(status.exit_code, output.to_s, errors.to_s)
end

describe Arguments do
  it "knows values and defaults" do
    parse("phase=spawn n=7").should eq({"phase" => "spawn", "n" => 7, "iterations" => 1, "min_warm_ms" => 0, "trace" => 0, "nonce" => 0, "count" => 0})
  end

  {
    "nonce=-1"   => "nonce=-1 must be an integer of at least 0",
    "phase=base" => "n is missing",
    "n"          => "\"n\" is not key=value",
    "n=1 n=2"    => "n is given twice",
    "m=1"        => "unknown key m",
    "n=0"        => "n=0 must be an integer of at least 1",
    "n=1.5"      => "n=1.5 must be an integer of at least 1",
    "trace=2"    => "trace=2 must be 0 or 1",
    "phase=x"    => "phase=x must be one of base, spawn",
  }.each do |words, message|
    it "refuses #{words}" do
      expect_raises(Arguments::Usage, message) { parse(words) }
    end
  end
end

describe "a program" do
  it "iterates as often as asked" do
    said = program("spawn n=10 iterations=7")
    said.status.should eq 0
    said.evidence("created").should eq [10] * 7
  end

  {
    "spawn n=10"              => ->(first : Int64) { 10 * first + 45 },
    "spawn-chain n=10"        => ->(first : Int64) { 10 * first + 45 },
    "tree n=10"               => ->(first : Int64) { 10 * first + 45 },
    "fan-in p=2 m=5"          => ->(first : Int64) { 5 * (2 * first + 3) },
    "hand-off m=5"            => ->(first : Int64) { first + 10 },
    "ring k=3 rounds=5"       => ->(first : Int64) { first + 15 },
    "switch k=3 m=10"         => ->(first : Int64) { 3 * (first + 10) },
    "mutex k=3 m=5"           => ->(first : Int64) { first + 15 },
    "semaphore k=3 s=2 m=5"   => ->(first : Int64) { 3 * (first + 5) },
    "channel p=2 c=3 b=4 m=5" => ->(first : Int64) { 10 * first + 45 },
    "select k=2 w=1 m=5"      => ->(first : Int64) { 10 * first + 45 },
    "scope n=3 m=4"           => ->(first : Int64) { 4 * first + 6 },
    "generator n=5"           => ->(first : Int64) { first + 5 },
    "sleep-zero k=3 m=5"      => ->(first : Int64) { 3 * (first + 5) },
  }.each do |words, sum|
    it "adds up to what its nonce says, which rises by one: #{words}" do
      program("#{words} nonce=1000000 iterations=3").evidence("checksum").should eq((0..2).map { |i| sum.call(1_000_000_i64 + i) })
    end
  end

  {"spawn" => 1_000_000, "spawn-chain" => 1_000_000, "tree" => 0, "burst bursts=1 idle_ms=0" => 1_000_000}.each do |name, first|
    it "numbers its tasks in a trace: #{name}" do
      events = program("#{name} n=1 nonce=1000000 trace=1").lines("trace")[0]["events"].as_a
      events.find! { |event| event[0] == "run" }[1].should eq first
    end
  end

  it "passes a byte to and fro" do
    program("io-switch m=20 iterations=3").evidence("messages").should eq [40] * 3
  end

  it "cleans up what it cancels" do
    said = program("cancel n=10 iterations=3", "\n\n")
    said.evidence("cancelled").should eq [10] * 3
    said.evidence("finished").should eq [10] * 3
  end

  it "cleans up what it cancels, and leaves those that yield alone" do
    said = program("cancel-loaded n=10 k=3 iterations=3")
    {"created" => 10, "cancelled" => 10, "finished" => 10, "active" => 3}.each { |name, count| said.evidence(name).should eq [count] * 3 }
  end

  it "excludes all but one by a lock, and all but as many as there are permits by a semaphore" do
    {"mutex k=3 m=5" => 1, "semaphore k=3 s=2 m=5" => 2}.each do |words, most|
      said = program(words)
      said.evidence("most").should eq [most]
      said.evidence("yields").should eq [15]
      # Whoever is the last to come in has been passed by all others.
      (2..10).should contain said.evidence("passed")[0]
    end
  end

  it "neither gives way nor is passed alone" do
    ["mutex k=1 m=5", "semaphore k=1 s=1 m=5"].each do |words|
      said = program(words)
      {said.evidence("yields"), said.evidence("passed")}.should eq({[0], [0]})
    end
  end

  it "counts what each consumer got" do
    said = program("channel p=1 c=1 b=4 m=50")
    {said.evidence("finished"), said.evidence("messages"), said.evidence("most")}.should eq({[2], [50], [50]})
  end

  ["k=2 w=1 m=5", "k=8 w=8 m=5", "k=64 w=1 m=5"].each do |words|
    it "takes as many messages from each channel: #{words}" do
      said = program("select #{words}")
      {said.evidence("least"), said.evidence("most"), said.evidence("finished")}.should eq({[5], [5], [2]})
    end
  end

  it "selects over as many channels as are written out" do
    said = program("select k=4 w=1 m=5")
    {said.status, said.errors}.should eq({2, "usage: k=4 must be one of 2, 8, 64\n"})
  end

  it "cancels the siblings of a child that fails" do
    said = program("scope n=3 m=4")
    {"created" => 12, "failed" => 4, "cancelled" => 8, "cleaned" => 8}.each { |name, count| said.evidence(name).should eq [count] }
  end

  it "tells when each of a burst first ran" do
    said = program("burst n=5 bursts=2 idle_ms=1 nonce=1000000")
    said.evidence("checksum").should eq [10_000_045]
    starts = said.lines("series")[0]["values"].as_a.map(&.as_i64)
    said.evidence("last_ns").should eq [starts.each_slice(5).sum(&.max)]
    starts.size.should eq 10
  end

  it "takes each tick while others yield" do
    said = program("ticker k=3 ticks=5 period_us=1000")
    said.lines("series")[0]["values"].as_a.size.should eq 5
    {said.evidence("finished"), said.evidence("active")}.should eq({[4], [3]})
    said.evidence("yields")[0].should be >= 3
  end

  it "never iterates more than 10,000 times" do
    program("hand-off m=1 min_warm_ms=600000").lines("iteration").size.should eq 10_000
  end

  it "holds at every point" do
    said = program("memory n=30 nonce=1000000", "\n" * 5)
    said.lines("hold").map { |line| {line["point"].as_s, line["units"].as_i} }.should eq [
      {"base", 0}, {"live", 30}, {"live-collected", 30}, {"released", 0}, {"released-collected", 0},
    ]
    said.evidence("checksum").should eq [30_000_435]
  end

  it "ends with its runner" do
    said = program("memory n=30")
    said.status.should eq 1
    said.errors.should contain "stdin ended at the hold base"
  end

  it "ends with 2 for a wrong command line" do
    said = program("spawn")
    {said.status, said.errors}.should eq({2, "usage: n is missing\n"})
  end

  it "ends with 1 if a fiber fails" do
    said = program("failing")
    said.status.should eq 1
    said.errors.should contain "planted"
    said.lines("end").should be_empty
  end
end
