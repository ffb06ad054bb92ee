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
    "spawn n=10"        => ->(first : Int64) { 10 * first + 45 },
    "spawn-chain n=10"  => ->(first : Int64) { 10 * first + 45 },
    "tree n=10"         => ->(first : Int64) { 10 * first + 45 },
    "fan-in p=2 m=5"    => ->(first : Int64) { 5 * (2 * first + 3) },
    "hand-off m=5"      => ->(first : Int64) { first + 10 },
    "ring k=3 rounds=5" => ->(first : Int64) { first + 15 },
    "switch k=3 m=10"   => ->(first : Int64) { 3 * (first + 10) },
  }.each do |words, sum|
    it "adds up to what its nonce says, which rises by one: #{words}" do
      program("#{words} nonce=1000000 iterations=3").evidence("checksum").should eq((0..2).map { |i| sum.call(1_000_000_i64 + i) })
    end
  end

  {"spawn" => 1_000_000, "spawn-chain" => 1_000_000, "tree" => 0}.each do |name, first|
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
