%% One process of the runner's: its arguments, the lines that it owes, holds, and the loop that times its operation.
-module(corobench).
-export([run/3, run/4, run/5, repeat/2, repeat/3, repeat/4, once/2, hold/3, series/2, usage/2, fail/1]).
-export_type([program/0, outcome/0]).

-define(MOST_ITERATIONS, 10_000).

%% `params` are the workload's own, `keys` the harness's; `trace` is a recorder, or none.
-type program() :: #{workload := string(), params := map(), keys := map(), trace := corobench_trace:trace()}.
-type outcome() :: {Ops :: non_neg_integer(), Evidence :: [{atom(), integer()}]}.

%% Runs a workload to the end of the emulator. Keys are the names of its parameters, each with the function that reads it.
-spec run(string(), [{atom(), corobench_arguments:reader()}], fun((program()) -> term())) -> no_return().
run(Workload, Parameters, Main) ->
    run(Workload, Parameters, [], Main).

%% Options are keys that may be left out, and that hello does not echo.
run(Workload, Parameters, Options, Main) ->
    run(#{words => init:get_plain_arguments(), version => fun version/0}, Workload, Parameters, Options, Main).

%% The same for another language of the emulator: where its words are, and what its version is.
run(Language, Workload, Parameters, Options, Main) ->
    % OTP's handler and Elixir's write to stdout; a process that fails is told of below.
    lists:foreach(fun logger:remove_handler/1, logger:get_handler_ids()),
    {_, Watch} = spawn_monitor(fun() -> whole(Language, Workload, Parameters, Options, Main) end),
    receive
        {'DOWN', Watch, process, _, normal} -> halt(0);
        {'DOWN', Watch, process, _, {usage, Message}} -> complain("usage: ~ts~n", [Message], 2);
        {'DOWN', Watch, process, _, Reason} -> complain("~tp~n", [Reason], 1)
    end.

whole(#{words := Words, version := Version}, Workload, Parameters, Options, Main) ->
    {Params, Keys} = corobench_arguments:parse(Words, Parameters, Options),
    Trace = corobench_trace:new(maps:get(trace, Keys)),
    Program = #{workload => Workload, params => Params, keys => Keys, trace => Trace},
    hello(Workload, Version(), maps:with([Name || {Name, _} <- Parameters], Params)),
    Main(Program),
    finish(Trace).

%% Refuses the command line: status 2.
-spec usage(string(), [term()]) -> no_return().
usage(Format, Values) ->
    exit({usage, io_lib:format(Format, Values)}).

%% Ends the process and so, by its links, the program: status 1.
-spec fail(term()) -> no_return().
fail(Reason) ->
    exit(Reason).

complain(Format, Values, Status) ->
    io:format(standard_error, Format, Values),
    halt(Status).

hello(Workload, Version, Params) ->
    write([{type, hello}, {protocol, 1}, {runtime, runtime()}, {version, Version}, {language_version, Version},
           {workload, list_to_binary(Workload)}, {params, maps:to_list(Params)}, {settings, settings()}]).

finish(Trace) ->
    case corobench_trace:events(Trace) of
        none -> ok;
        Events -> write([{type, trace}, {events, Events}])
    end,
    write([{type, 'end'}]).

runtime() ->
    case os:getenv("COROBENCH_RUNTIME") of
        false -> usage("the environment variable COROBENCH_RUNTIME is not set", []);
        Name -> list_to_binary(Name)
    end.

%% The release with its patch level, which the emulator itself does not know.
version() ->
    File = filename:join([code:root_dir(), "releases", erlang:system_info(otp_release), "OTP_VERSION"]),
    {ok, Text} = file:read_file(File),
    string:trim(Text).

settings() ->
    [{Name, erlang:system_info(Name)} || Name <- [schedulers_online, dirty_cpu_schedulers_online, emu_flavor, build_type]] ++
        [{min_heap_size, element(2, erlang:system_info(min_heap_size))}, {erts, list_to_binary(erlang:system_info(version))}].

%% Times Operation until there are enough iterations and enough warm time, then writes them all.
%% It is given the number that its results must contain: the runner's nonce, and one more with each iteration.
-spec repeat(program(), fun((Nonce :: non_neg_integer()) -> outcome())) -> ok.
repeat(Program, Operation) ->
    repeat(Program, fun() -> nothing end, fun(nothing, Nonce) -> Operation(Nonce) end).

%% The same for what must be prepared anew for each iteration, untimed.
repeat(Program, Prepare, Operation) ->
    repeat(Program, Prepare, Operation, fun(_) -> ok end).

%% The same for what must also be ended after each, untimed as well.
repeat(#{keys := Keys, trace := none} = Program, Prepare, Operation, Finish) ->
    #{iterations := Least, min_warm_ms := Warm, nonce := Nonce} = Keys,
    Lap = fun(Number) -> lap(Number, Prepare, Operation, Finish) end,
    First = Lap(Nonce),
    write_laps(Program, [First | warm(Least - 1, Warm * 1_000_000, ?MOST_ITERATIONS - 1, Nonce + 1, Lap)]);
repeat(#{keys := #{nonce := Nonce}} = Program, Prepare, Operation, Finish) ->
    write_laps(Program, [lap(Nonce, Prepare, Operation, Finish)]).

%% One iteration, whatever was asked for.
-spec once(program(), fun((Nonce :: non_neg_integer()) -> outcome())) -> ok.
once(#{keys := #{nonce := Nonce}} = Program, Operation) ->
    write_laps(Program, [lap(Nonce, fun() -> nothing end, fun(nothing, _) -> Operation(Nonce) end, fun(nothing) -> ok end)]).

warm(Least, WarmNs, Most, Nonce, Lap) when Most > 0, Least > 0; Most > 0, WarmNs > 0 ->
    {Elapsed, _, _} = Done = Lap(Nonce),
    [Done | warm(Least - 1, WarmNs - Elapsed, Most - 1, Nonce + 1, Lap)];
warm(_, _, _, _, _) ->
    [].

%% What holds take of it is no time of the lap: they keep it in the process dictionary, since they are deep inside the operation.
lap(Nonce, Prepare, Operation, Finish) ->
    Prepared = Prepare(),
    put(stood, {0, 0}),
    {Cpu, _} = erlang:statistics(runtime),
    Start = erlang:monotonic_time(nanosecond),
    Outcome = Operation(Prepared, Nonce),
    Elapsed = erlang:monotonic_time(nanosecond) - Start,
    {After, _} = erlang:statistics(runtime),
    {Stood, StoodCpu} = erase(stood),
    Finish(Prepared),
    {Elapsed - Stood, After - Cpu - StoodCpu, Outcome}.

write_laps(_, [First | Warm]) ->
    Laps = [First | shared_cpu(Warm)],
    lists:foreach(
        fun({Index, {Elapsed, CpuMs, {Ops, Evidence}}}) ->
            write([{type, iteration}, {index, Index}, {elapsed_ns, Elapsed}, {cpu_ns, round(CpuMs * 1_000_000)},
                   {ops, Ops}, {evidence, Evidence}])
        end,
        lists:enumerate(0, Laps)).

%% The emulator tells its CPU time in whole milliseconds, which is as long as an iteration: the warm ones share theirs
%% by the time that they took.
shared_cpu(Laps) ->
    Elapsed = lists:sum([E || {E, _, _} <- Laps]),
    Cpu = lists:sum([C || {_, C, _} <- Laps]),
    [{E, Cpu * E / Elapsed, Outcome} || {E, _, Outcome} <- Laps].

%% Announces a named point, and waits there until the runner has read the process from outside.
hold(#{trace := Trace}, Point, Units) ->
    {Cpu, _} = erlang:statistics(runtime),
    Start = erlang:monotonic_time(nanosecond),
    corobench_trace:hold(Trace),
    write([{type, hold}, {point, Point}, {units, Units}]),
    case io:get_line("") of
        eof -> fail({"stdin ended: the runner is gone, at the hold", Point});
        _ -> stood(erlang:monotonic_time(nanosecond) - Start, Cpu, get(stood))
    end.

stood(_, _, undefined) ->
    ok; % outside of a lap
stood(Elapsed, Cpu, {Stood, StoodCpu}) ->
    {After, _} = erlang:statistics(runtime),
    put(stood, {Stood + Elapsed, StoodCpu + After - Cpu}),
    ok.

%% Raw samples in nanoseconds, in the order in which they happened.
series(Name, Values) ->
    write([{type, series}, {name, Name}, {values, Values}]).

write(Line) ->
    ok = io:put_chars([corobench_json:encode(Line), $\n]).
