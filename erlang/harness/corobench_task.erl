%% Starts tasks, each a process of its own, linked to its starter so that a failure ends the program.
-module(corobench_task).
-export([start/3, start_resuming/3, start_bare/3, start_unlinked/3, collect/2]).

%% The starter is sent {result, Task, Value} when Body has returned Value.
-spec start(corobench_trace:trace(), non_neg_integer(), fun(() -> term())) -> pid().
start(Trace, Task, Body) ->
    start_resuming(Trace, Task, fun() ->
        corobench_trace:run(Trace, Task),
        Body()
    end).

%% The same for a task that records by itself when it is resumed.
-spec start_resuming(corobench_trace:trace(), non_neg_integer(), fun(() -> term())) -> pid().
start_resuming(Trace, Task, Body) ->
    Starter = self(),
    start_bare(Trace, Task, fun() ->
        Value = Body(),
        corobench_trace:done(Trace, Task),
        Starter ! {result, Task, Value}
    end).

%% A task of which nobody collects anything; it records by itself.
-spec start_bare(corobench_trace:trace(), non_neg_integer(), fun(() -> term())) -> pid().
start_bare(Trace, Task, Body) ->
    corobench_trace:spawn(Trace, Task),
    Pid = spawn_link(Body),
    corobench_trace:spawned(Trace, Task),
    Pid.

%% The same as start, without the link, which is much of what a start costs: a task that fails says so instead.
-spec start_unlinked(corobench_trace:trace(), non_neg_integer(), fun(() -> term())) -> pid().
start_unlinked(Trace, Task, Body) ->
    Starter = self(),
    corobench_trace:spawn(Trace, Task),
    Pid = spawn(fun() -> Starter ! outcome(Trace, Task, Body) end),
    corobench_trace:spawned(Trace, Task),
    Pid.

outcome(Trace, Task, Body) ->
    try
        corobench_trace:run(Trace, Task),
        Value = Body(),
        corobench_trace:done(Trace, Task),
        {result, Task, Value}
    catch
        Class:Reason:Stack -> {failed, Task, {Class, Reason, Stack}}
    end.

%% How many results came and their sum, in the order in which they come.
-spec collect(corobench_trace:trace(), non_neg_integer()) -> {Finished :: non_neg_integer(), Sum :: integer()}.
collect(Trace, Tasks) ->
    collect(Trace, Tasks, 0, 0).

collect(_, Tasks, Finished, Sum) when Finished =:= Tasks ->
    {Finished, Sum};
collect(Trace, Tasks, Finished, Sum) ->
    receive
        {result, Task, Value} ->
            corobench_trace:collect(Trace, Task),
            collect(Trace, Tasks, Finished + 1, Sum + Value);
        {failed, _, Reason} ->
            corobench:fail(Reason)
    end.
