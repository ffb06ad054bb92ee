%% M scopes of N processes are opened one after the other: one fails, the others are told to exit for it, and all are joined.
-module(scope).
-export([main/0]).

-define(CANCELLED, 1).
-define(CLEANED, 2).

%% Waits for what never comes. A process that traps exits is told of them by a message: that is how OTP's behaviours come to terminate/2.
wait(I, Root, Counters, Trace) ->
    corobench_trace:run(Trace, I),
    process_flag(trap_exit, true),
    Root ! waiting,
    try
        receive
            {'EXIT', _, shutdown} ->
                counters:add(Counters, ?CANCELLED, 1),
                exit(shutdown)
        end
    after
        counters:add(Counters, ?CLEANED, 1),
        corobench_trace:done(Trace, I)
    end.

%% Fails when it is told that the others wait.
fail(I, Value, Trace) ->
    corobench_trace:run(Trace, I),
    receive
        all_wait ->
            corobench_trace:fail(Trace, I),
            exit({failed, Value})
    end.

start(I, Body, Trace) ->
    corobench_trace:spawn(Trace, I),
    Task = spawn_monitor(Body),
    corobench_trace:spawned(Trace, I),
    Task.

%% How many children it started, and the value of the first that failed. As a supervisor of one_for_all does, it then ends the others;
%% unlike that it tells all of them before it waits for any.
scope(First, N, Value, Counters, Trace) ->
    Root = self(),
    Last = First + N - 1,
    Waiting = [start(I, fun() -> wait(I, Root, Counters, Trace) end, Trace) || I <- lists:seq(First, Last - 1)],
    {Failing, _} = start(Last, fun() -> fail(Last, Value, Trace) end, Trace),
    [receive waiting -> ok end || _ <- Waiting],
    Failing ! all_wait,
    Failed = receive {'DOWN', _, process, _, {failed, Caught}} -> Caught end,
    [exit(Pid, shutdown) || {Pid, _} <- Waiting],
    [receive {'DOWN', Monitor, process, _, shutdown} -> ok end || {_, Monitor} <- Waiting],
    {length(Waiting) + 1, Failed}.

open(I, N, Value, Counters, Trace) ->
    corobench_trace:open(Trace, I),
    Closed = scope(I * N, N, Value, Counters, Trace),
    corobench_trace:close(Trace, I),
    Closed.

scopes(Nonce, N, M, Trace) ->
    Counters = counters:new(2, [atomics]),
    {Created, Values} = lists:unzip([open(I, N, Nonce + I, Counters, Trace) || I <- lists:seq(0, M - 1)]),
    Failed = length(Values),
    Cleaned = counters:get(Counters, ?CLEANED),
    {Failed + Cleaned, [{created, lists:sum(Created)}, {failed, Failed}, {cancelled, counters:get(Counters, ?CANCELLED)},
                        {cleaned, Cleaned}, {checksum, lists:sum(Values)}]}.

main() ->
    Parameters = [{n, corobench_arguments:integer(1)}, {m, corobench_arguments:integer(1)}],
    corobench:run("scope", Parameters, fun(#{params := #{n := N, m := M}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun(Nonce) -> scopes(Nonce, N, M, Trace) end)
    end).
