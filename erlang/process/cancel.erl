%% N parked processes are told to exit, clean up and are joined by their monitors.
-module(cancel).
-export([main/0]).

-define(PARKED, 1).
-define(CLEANED, 2).

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

park(N, Trace) ->
    Counters = counters:new(2, [atomics]),
    Tasks = [start(I, Counters, Trace) || I <- lists:seq(0, N - 1)],
    await(N, Counters),
    timer:sleep(1), % in which those that only gave way go on
    {Tasks, Counters}.

start(I, Counters, Trace) ->
    corobench_trace:spawn(Trace, I),
    Task = spawn_monitor(fun() -> task(I, Counters, Trace) end),
    corobench_trace:spawned(Trace, I),
    Task.

await(N, Counters) ->
    case counters:get(Counters, ?PARKED) of
        N -> ok;
        _ -> timer:sleep(1), await(N, Counters)
    end.

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

main() ->
    corobench:run("cancel", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}, trace := Trace} = Program) ->
        corobench:hold(Program, base, 0),
        corobench:repeat(Program, fun() -> park(N, Trace) end, fun(Parked, _) -> cancel(Parked) end),
        corobench:hold(Program, released, 0)
    end).
