%% Parked processes that are told to exit, clean up and are joined by their monitors.
-module(crowd).
-export([park/3, cancel/1]).
-export_type([crowd/0]).

-define(PARKED, 1).
-define(CLEANED, 2).

-type crowd() :: {[{pid(), reference()}], counters:counters_ref()}.

%% Starts N tasks, numbered from First on, and returns when all of them wait.
-spec park(non_neg_integer(), pos_integer(), corobench_trace:trace()) -> crowd().
park(First, N, Trace) ->
    Counters = counters:new(2, [atomics]),
    Tasks = [start(I, Counters, Trace) || I <- lists:seq(First, First + N - 1)],
    await(N, Counters),
    timer:sleep(1), % in which those that only gave way go on
    {Tasks, Counters}.

start(I, Counters, Trace) ->
    corobench_trace:spawn(Trace, I),
    Task = spawn_monitor(fun() -> task(I, Counters, Trace) end),
    corobench_trace:spawned(Trace, I),
    Task.

%% A process that traps exits is told of them by a message: that is how OTP's behaviours come to terminate/2.
task(I, Counters, Trace) ->
    corobench_trace:run(Trace, I),
    process_flag(trap_exit, true),
    counters:add(Counters, ?PARKED, 1),
    receive
        {'EXIT', _, shutdown} ->
            counters:add(Counters, ?CLEANED, 1),
            corobench_trace:done(Trace, I),
            exit(shutdown)
    end.

await(N, Counters) ->
    case counters:get(Counters, ?PARKED) of
        N -> ok;
        _ -> timer:sleep(1), await(N, Counters)
    end.

-spec cancel(crowd()) -> corobench:outcome().
cancel({Tasks, Counters}) ->
    Waited = counters:get(Counters, ?PARKED) - counters:get(Counters, ?CLEANED),
    [exit(Pid, shutdown) || {Pid, _} <- Tasks],
    Finished = lists:sum([join(Monitor) || {_, Monitor} <- Tasks]),
    Cleaned = counters:get(Counters, ?CLEANED),
    {Finished, [{created, Waited}, {cancelled, Cleaned}, {finished, Finished}]}.

join(Monitor) ->
    receive
        {'DOWN', Monitor, process, _, shutdown} -> 1;
        {'DOWN', Monitor, process, _, Reason} -> corobench:fail(Reason)
    end.
