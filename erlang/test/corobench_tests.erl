%% The harness by itself, and whole programs: how many lines they print, and how they end when something is wrong.
-module(corobench_tests).
-include_lib("eunit/include/eunit.hrl").

-define(N, [{n, corobench_arguments:integer(1)}]).

parse(Words) -> corobench_arguments:parse(string:lexemes(Words, " "), ?N, [{count, corobench_arguments:flag()}]).

arguments_test() ->
    ?assertEqual({#{n => 7}, #{iterations => 1, min_warm_ms => 0, trace => 0, nonce => 0}}, parse("n=7")),
    ?assertEqual(
        {#{n => 7, count => 1}, #{iterations => 3, min_warm_ms => 0, trace => 1, nonce => 5}},
        parse("count=1 trace=1 nonce=5 n=7 iterations=3")).

wrong_arguments_test_() ->
    [
        ?_test(?assertExit({usage, _}, parse(Words)))
     || Words <- ["", "n", "n=1 n=2", "n=0", "n=1.5", "n=x", "n=1 m=1", "n=1 trace=2", "n=1 count=yes", "n=1 iterations=0", "n=1 nonce=-1", "n=1 nonce=x"]
    ].

words_test() ->
    Read = corobench_arguments:word(["base", "spawn"]),
    ?assertEqual({ok, <<"base">>}, Read("base")),
    ?assertMatch({error, _}, Read("other")),
    Power = corobench_arguments:power_of_ten(),
    ?assertEqual([{ok, 1}, {ok, 1000}], [Power("1"), Power("1000")]),
    [?assertMatch({error, _}, Power(Text)) || Text <- ["20", "0", "", "101"]].

json_test() ->
    Line = [{text, <<"a\"\\\n">>}, {list, [1, true, other]}, {nested, [{n, 0}]}],
    ?assertEqual(
        <<"{\"text\":\"a\\\"\\\\\\u000a\",\"list\":[1,true,\"other\"],\"nested\":{\"n\":0}}">>,
        iolist_to_binary(corobench_json:encode(Line))).

no_trace_test() ->
    ?assertEqual(none, corobench_trace:events(corobench_trace:new(0))).

trace_test() ->
    Trace = corobench_trace:new(1),
    Task = corobench_task:start(Trace, 0, fun() -> 5 end),
    ?assertEqual({1, 5}, corobench_task:collect(Trace, 1)),
    Own = list_to_binary(pid_to_list(self())),
    Other = list_to_binary(pid_to_list(Task)),
    Events = corobench_trace:events(Trace),
    ?assertEqual(lists:sort([[spawn, 0, Own], [spawned, 0, Own], [run, 0, Other], [done, 0, Other], [collect, 0, Own]]), lists:sort(Events)),
    ?assertEqual([spawn, 0, Own], hd(Events)).

%% Runs a program in an emulator of its own, with nothing on its stdin: its status and its output, errors included.
program(Module, Words) ->
    Erl = os:find_executable("erl", filename:join(code:root_dir(), "bin")),
    Arguments = ["-noshell", "-pa", filename:dirname(code:which(corobench)), "-run", Module, "main", "-extra" | Words],
    Shell = os:find_executable("sh"),
    Port = open_port({spawn_executable, Shell}, [
        {args, ["-c", "exec \"$@\" </dev/null", "sh", Erl | Arguments]},
        {env, [{"COROBENCH_RUNTIME", "test"}]}, exit_status, stderr_to_stdout, binary
    ]),
    answer(Port, <<>>).

answer(Port, Output) ->
    receive
        {Port, {data, More}} -> answer(Port, <<Output/binary, More/binary>>);
        {Port, {exit_status, Status}} -> {Status, Output}
    end.

count(Type, Output) ->
    length(binary:matches(Output, <<"{\"type\":\"", Type/binary, "\"">>)).

checksums(Output) ->
    [list_to_integer(Text) || Text <- numbers("\"checksum\":([0-9]+)", Output)].

series(Output) ->
    [Values] = numbers("\"values\":\\[([0-9,]*)\\]", Output),
    [list_to_integer(Value) || Value <- string:lexemes(Values, ",")].

numbers(Pattern, Output) ->
    {match, Found} = re:run(Output, Pattern, [global, {capture, all_but_first, list}]),
    lists:append(Found).

%% What the root told them is read, and nothing else is on its way.
a_ring_waits_before_the_token_is_sent_test() ->
    {links, Before} = process_info(self(), links),
    Zero = player:prepare(none, 3, 2, fun player:play/4),
    {links, After} = process_info(self(), links),
    Queued = [process_info(Player, message_queue_len) || Player <- After -- Before],
    ?assertEqual(lists:duplicate(3, {message_queue_len, 0}), Queued),
    ?assertEqual({6, [{finished, 3}, {messages, 6}, {checksum, 6}]}, player:pass(none, 3, Zero, {token, 0})).

a_task_without_a_link_says_why_it_failed_test() ->
    corobench_task:start_unlinked(none, 0, fun() -> 5 end),
    ?assertEqual({1, 5}, corobench_task:collect(none, 1)),
    corobench_task:start_unlinked(none, 0, fun() -> exit(planted) end),
    ?assertExit({exit, planted, _}, corobench_task:collect(none, 1)).

%% EUnit gives a test five seconds, which a busy box may take to start one emulator; these are a limit for failures.
programs_test_() ->
    [{timeout, 600, Test} || Test <- programs()].

programs() ->
    [
        {"iterates as often as asked", fun() ->
            {0, Output} = program("spawn", ["n=10", "iterations=7"]),
            ?assertEqual(7, count(<<"iteration">>, Output)),
            ?assertMatch({_, _}, binary:match(Output, <<"\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":45}">>))
        end},
        {"results contain a nonce that rises by one", fun() ->
            [
                begin
                    {0, Output} = program(Module, Words ++ ["nonce=1000000", "iterations=3"]),
                    ?assertEqual({Module, Sums}, {Module, checksums(Output)})
                end
             || {Module, Words, Sums} <- [
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
                ]
            ]
        end},
        {"tasks are numbered from the nonce in the trace", fun() ->
            {0, Output} = program("spawn-chain", ["n=2", "nonce=1000000", "trace=1"]),
            ?assertEqual(["1000000", "1000001"], numbers("\"run\",([0-9]+),", Output))
        end},
        {"parked processes are told to exit while others yield", fun() ->
            {0, Output} = program("cancel-loaded", ["n=20", "k=3", "iterations=2"]),
            ?assertEqual(2, count(<<"iteration">>, Output)),
            Evidence = <<"\"evidence\":{\"created\":20,\"cancelled\":20,\"finished\":20,\"active\":3}">>,
            ?assertEqual(2, length(binary:matches(Output, Evidence)))
        end},
        {"one process of each scope fails, and the others clean up", fun() ->
            {0, Output} = program("scope", ["n=4", "m=3", "nonce=7"]),
            Evidence = <<"\"ops\":12,\"evidence\":{\"created\":12,\"failed\":3,\"cancelled\":9,\"cleaned\":9,\"checksum\":24}">>,
            ?assertMatch({_, _}, binary:match(Output, Evidence))
        end},
        {"every task of every burst tells when it first ran", fun() ->
            {0, Output} = program("burst", ["n=10", "bursts=3", "idle_ms=1", "nonce=1000000"]),
            ?assertEqual([30_000_435], checksums(Output)),
            Starts = series(Output),
            ?assertEqual(30, length(Starts)),
            ?assert(lists:all(fun(Start) -> Start >= 0 end, Starts))
        end},
        {"every tick is taken while others yield", fun() ->
            {0, Output} = program("ticker", ["k=3", "ticks=50", "period_us=1"]),
            ?assertMatch({_, _}, binary:match(Output, <<"\"ops\":50,\"evidence\":{\"finished\":4,\"active\":3,">>)),
            ?assertEqual(50, length(series(Output)))
        end},
        {"at its limit does the same", fun() ->
            {0, Spawned} = program("limit-spawn", ["n=10"]),
            ?assertMatch({_, _}, binary:match(Spawned, <<"\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":45}">>)),
            {0, Passed} = program("limit-hand-off", ["m=10"]),
            ?assertMatch({_, _}, binary:match(Passed, <<"\"evidence\":{\"finished\":2,\"messages\":20,\"checksum\":20}">>))
        end},
        {"never iterates more than 10,000 times", fun() ->
            {0, Output} = program("baseline", ["n=1", "min_warm_ms=600000"]),
            ?assertEqual(10_000, count(<<"iteration">>, Output))
        end},
        {"a start says nothing unless asked", fun() ->
            ?assertEqual({0, <<>>}, program("startup", ["mode=bare"])),
            ?assertEqual({0, <<>>}, program("startup", ["mode=first-task"]))
        end},
        {"a wrong command line ends with 2", fun() ->
            ?assertEqual({2, <<"usage: n is missing\n">>}, program("spawn", [])),
            ?assertEqual({2, <<"usage: nonce=-1: must be an integer of at least 0\n">>}, program("spawn", ["n=1", "nonce=-1"]))
        end},
        {"the end of stdin in a hold ends with 1", fun() ->
            {1, Output} = program("memory", ["n=10"]),
            ?assertMatch({_, _}, binary:match(Output, <<"stdin ended">>))
        end},
        {"a process that fails ends the program with 1", fun() ->
            {1, Output} = program("corobench_failing", []),
            ?assertMatch({_, _}, binary:match(Output, <<"planted">>)),
            ?assertEqual(0, count(<<"end">>, Output))
        end}
    ].
