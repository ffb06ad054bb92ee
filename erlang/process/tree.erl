%% A process for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a process for each leaf.
-module(tree).
-export([main/0]).

-define(CHILDREN, 10).

%% How many tasks were joined in it, itself included, and the sum of its leaves. Number gives a task its own.
node(First, 1, _, _) ->
    {1, First};
node(First, Leaves, Number, Trace) ->
    Share = Leaves div ?CHILDREN,
    [start(First + I * Share, Share, Number, Trace) || I <- lists:seq(0, ?CHILDREN - 1)],
    join(?CHILDREN, 1, 0).

start(First, Leaves, Number, Trace) ->
    corobench_task:start(Trace, Number(), fun() -> node(First, Leaves, Number, Trace) end).

join(0, Tasks, Sum) ->
    {Tasks, Sum};
join(Children, Tasks, Sum) ->
    receive
        {result, _, {Joined, Leaves}} -> join(Children - 1, Tasks + Joined, Sum + Leaves)
    end.

grow(Nonce, N, Trace) ->
    start(Nonce, N, numbers(Trace), Trace),
    {Tasks, Sum} = join(1, 0, 0),
    {Tasks, [{finished, Tasks}, {checksum, Sum}]}.

%% Nobody asks for numbers without a trace, and a counter that all share would be timed.
numbers(none) ->
    fun() -> 0 end;
numbers(_) ->
    Counter = atomics:new(1, []),
    fun() -> atomics:add_get(Counter, 1, 1) - 1 end.

main() ->
    corobench:run("tree", [{n, corobench_arguments:power_of_ten()}], fun(#{params := #{n := N}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun(Nonce) -> grow(Nonce, N, Trace) end)
    end).
