%% Parks N processes, numbered from the nonce on, at one gate, a message that each waits for.
%% Holds the emulator still before, while and after they live.
-module(parking).
-export([run/2, wait/2]).

-define(PARKED, 1).

%% The whole program of a memory workload: Body(Gate, I) waits at the gate once, and returns I.
-spec run(string(), fun((term(), non_neg_integer()) -> non_neg_integer())) -> no_return().
run(Workload, Body) ->
    corobench:run(Workload, [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}} = Program) ->
        corobench:once(Program, fun(Nonce) -> measure(Program, Nonce, N, Body) end)
    end).

%% Parks task I until the gate is opened.
wait({Counters, Trace}, I) ->
    corobench_trace:park(Trace, I),
    counters:add(Counters, ?PARKED, 1),
    receive
        open -> counters:sub(Counters, ?PARKED, 1)
    end.

measure(#{trace := Trace} = Program, First, N, Body) ->
    Counters = counters:new(1, [atomics]),
    Hold = fun(Point) -> corobench:hold(Program, Point, counters:get(Counters, ?PARKED)) end,
    Hold(base),
    Created = park(First, N, {Counters, Trace}, Body, Hold),
    {Finished, Sum} = corobench_task:collect(Trace, Created),
    Hold(released),
    collect_garbage(),
    Hold('released-collected'),
    {Finished, [{created, Created}, {finished, Finished}, {checksum, Sum}]}.

%% The handles are gone when it returns.
park(First, N, {Counters, Trace} = Gate, Body, Hold) ->
    Tasks = [corobench_task:start(Trace, I, fun() -> Body(Gate, I) end) || I <- lists:seq(First, First + N - 1)],
    Created = length(Tasks),
    await(Created, Counters),
    Hold(live),
    collect_garbage(),
    Hold('live-collected'),
    [Task ! open || Task <- Tasks],
    Created.

await(N, Counters) ->
    case counters:get(Counters, ?PARKED) of
        N -> ok;
        _ -> timer:sleep(1), await(N, Counters)
    end.

collect_garbage() ->
    lists:foreach(fun erlang:garbage_collect/1, erlang:processes()).
