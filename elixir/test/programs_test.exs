# Limits for failures: a busy box may take long to start an emulator, or to run a process.
ExUnit.start(timeout: 600_000, assert_receive_timeout: 60_000)

defmodule ProgramsTest do
  use ExUnit.Case, async: true

  # A program in an emulator of its own, with this on its stdin: its status and its output, errors included.
  defp program(workload, words, input \\ "", variables \\ []) do
    folder = Path.dirname(:code.which(Corobench))
    expression = ~s|Corobench.main("#{workload}")|
    command = ["printf \"$INPUT\" | \"$@\"", "sh", System.find_executable("elixir"), "-pa", folder, "-e", expression, "--" | words]
    env = [{"COROBENCH_RUNTIME", "test"}, {"INPUT", input} | variables]
    {output, status} = System.cmd("sh", ["-c" | command], env: env, stderr_to_stdout: true)
    {status, output}
  end

  defp count(output, type), do: length(String.split(output, ~s|{"type":"#{type}"|)) - 1

  defp series(output) do
    [values] = Regex.run(~r/"values":\[([0-9,]*)\]/, output, capture: :all_but_first)
    for value <- String.split(values, ","), do: String.to_integer(value)
  end

  test "it iterates as often as asked" do
    {0, output} = program("spawn", ["n=10", "iterations=7"])
    assert count(output, "iteration") == 7
    assert output =~ ~s|"version":"#{System.version()}"|
    assert output =~ ~s|"evidence":{"created":10,"finished":10,"checksum":45}|
  end

  test "results contain a nonce that rises by one" do
    for {workload, words, sums} <- [
          {"baseline", ["n=10"], [10_000_045, 10_000_055, 10_000_065]},
          {"spawn", ["n=10"], [10_000_045, 10_000_055, 10_000_065]},
          {"spawn-chain", ["n=10"], [10_000_045, 10_000_055, 10_000_065]},
          {"tree", ["n=10"], [10_000_045, 10_000_055, 10_000_065]},
          {"hand-off", ["m=10"], [1_000_020, 1_000_021, 1_000_022]},
          {"ring", ["k=5", "rounds=2"], [1_000_010, 1_000_011, 1_000_012]},
          {"switch", ["k=5", "m=2"], [5_000_010, 5_000_015, 5_000_020]},
          {"scope", ["n=4", "m=3"], [3_000_003, 3_000_006, 3_000_009]},
          {"sleep-zero", ["k=3", "m=4"], [3_000_012, 3_000_015, 3_000_018]},
          {"limit-spawn", ["n=10"], [10_000_045, 10_000_055, 10_000_065]},
          {"limit-hand-off", ["m=10"], [1_000_020, 1_000_021, 1_000_022]}
        ] do
      {0, output} = program(workload, words ++ ["nonce=1000000", "iterations=3"])
      found = for [sum] <- Regex.scan(~r/"checksum":([0-9]+)/, output, capture: :all_but_first), do: String.to_integer(sum)
      assert {workload, found} == {workload, sums}
    end
  end

  test "a traced task has its number from the nonce on" do
    {0, output} = program("spawn", ["n=2", "nonce=1000000", "trace=1"])
    collected = Regex.scan(~r/"collect",([0-9]+)/, output, capture: :all_but_first)
    assert collected == [["1000000"], ["1000001"]]
  end

  test "at its limit it does the same" do
    {0, spawned} = program("limit-spawn", ["n=10"])
    assert spawned =~ ~s|"evidence":{"created":10,"finished":10,"checksum":45}|
    {0, passed} = program("limit-hand-off", ["m=10"])
    assert passed =~ ~s|"evidence":{"finished":2,"messages":20,"checksum":20}|
  end

  test "parked tasks are shut down and clean up" do
    {0, output} = program("cancel", ["n=20", "iterations=2"], "\n\n")
    assert count(output, "hold") == 2
    assert output =~ ~s|"evidence":{"created":20,"cancelled":20,"finished":20}|
  end

  test "parked tasks are shut down while others yield" do
    {0, output} = program("cancel-loaded", ["n=20", "k=3", "iterations=2"])
    assert length(String.split(output, ~s|"evidence":{"created":20,"cancelled":20,"finished":20,"active":3}|)) == 3
  end

  test "one task of each scope fails, and the others clean up" do
    {0, output} = program("scope", ["n=4", "m=3", "nonce=7"])
    assert output =~ ~s|"ops":12,"evidence":{"created":12,"failed":3,"cancelled":9,"cleaned":9,"checksum":24}|
  end

  test "every task of every burst tells when it first ran" do
    {0, output} = program("burst", ["n=10", "bursts=3", "idle_ms=1", "nonce=1000000"])
    assert output =~ ~s|"evidence":{"created":30,"finished":30,"checksum":30000435,"last_ns":|
    assert length(series(output)) == 30
    assert Enum.all?(series(output), &(&1 >= 0))
  end

  test "every tick is taken while others yield" do
    {0, output} = program("ticker", ["k=3", "ticks=50", "period_us=1"])
    assert output =~ ~s|"ops":50,"evidence":{"finished":4,"active":3,"yields":|
    assert length(series(output)) == 50
  end

  test "sleeping tasks tell how late they woke" do
    {0, output} = program("timers", ["n=5", "lead=10"])
    assert output =~ ~s|"evidence":{"created":5,"finished":5,"checksum":10,"early":0}|
    assert count(output, "series") == 1
  end

  test "a byte goes to and fro" do
    {0, output} = program("io-switch", ["m=20"])
    assert output =~ ~s|"ops":20,"evidence":{"finished":2,"messages":40}|
  end

  test "a traced task has a process of its own" do
    {0, output} = program("spawn", ["n=2", "trace=1"])
    [first, second] = for i <- 0..1, [unit] <- [Regex.run(~r/\["run",#{i},"(<[0-9.]+>)"\]/, output, capture: :all_but_first)], do: unit
    assert first != second
  end

  test "a start says nothing unless asked" do
    assert program("startup", ["mode=bare"]) == {0, ""}
    assert program("startup", ["mode=first-task"]) == {0, ""}
  end

  test "a wrong command line ends with 2" do
    assert program("spawn-chain", []) == {2, "usage: n is missing\n"}
    assert program("spawn", ["n=1", "nonce=-1"]) == {2, "usage: nonce=-1: must be an integer of at least 0\n"}
  end

  test "what the emulator can't do is told once, not by its logger as well" do
    {1, output} = program("memory", ["n=5000"], "\n", [{"ERL_FLAGS", "+P 1024"}])
    assert output =~ "system_limit"
    refute output =~ "[error]"
  end

  test "the end of stdin in a hold ends with 1" do
    {1, output} = program("memory", ["n=10"])
    assert output =~ "stdin ended"
  end
end

defmodule CorobenchTest do
  use ExUnit.Case, async: true

  test "tasks are awaited and summed" do
    tasks = for i <- 0..4, do: Corobench.async(:none, i, fn -> i end)
    assert Corobench.await_all(tasks, :none) == {5, 10}
    tasks = for i <- 7..8, do: Corobench.async(:none, i, fn -> i end)
    assert Corobench.await_all(tasks, :none, 7) == {2, 15}
  end

  test "a ring has read what the root told it, and waits, before the token is sent" do
    players = Player.prepare(3, 2, :none, &Player.play/4)
    assert for(player <- players, do: Process.info(player.pid, :message_queue_len)) == List.duplicate({:message_queue_len, 0}, 3)
    assert Player.pass(players, :none, {:token, 0}) == {6, [finished: 3, messages: 6, checksum: 6]}
  end

  @tag :capture_log
  test "a task that fails ends its starter" do
    {starter, watch} = spawn_monitor(fn -> Corobench.await_all([Corobench.async(:none, 0, fn -> exit(:planted) end)], :none) end)
    assert_receive {:DOWN, ^watch, :process, ^starter, reason}
    assert inspect(reason) =~ "planted"
  end
end
