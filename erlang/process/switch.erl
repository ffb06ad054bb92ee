%% Lets K processes yield M times each.
-module(switch).
-export([main/0]).

%% How often the task was resumed. Resumed looks at every resume; without trace=1 or count=1, which are never timed, there is none.
yields(M, M, _) ->
    M;
yields(M, Resumes, none) ->
    erlang:yield(),
    yields(M, Resumes + 1, none);
yields(M, Resumes, Resumed) ->
    erlang:yield(),
    Resumed(),
    yields(M, Resumes + 1, Resumed).

%% Both counters are of all tasks: the one resumed last, and the true switches.
resumed(Trace, Task, Counters) ->
    corobench_trace:run(Trace, Task),
    case atomics:exchange(Counters, 1, Task) of
        Task -> ok;
        _ -> atomics:add(Counters, 2, 1)
    end.

switch(#{params := #{k := K, m := M} = Params, trace := Trace}) ->
    Counters = atomics:new(2, []),
    atomics:put(Counters, 1, -1),
    Count = maps:get(count, Params, 0) =:= 1,
    Watched = Count orelse Trace =/= none,
    Watch = fun(Task) when Watched -> fun() -> resumed(Trace, Task, Counters) end; (_) -> none end,
    [corobench_task:start_resuming(Trace, I, fun() -> yields(M, 0, Watch(I)) end) || I <- lists:seq(0, K - 1)],
    {Finished, Resumes} = corobench_task:collect(Trace, K),
    {Resumes, [{finished, Finished}, {resumes, Resumes}] ++ [{true_switches, atomics:get(Counters, 2)} || Count]}.

main() ->
    Parameters = [{k, corobench_arguments:integer(1)}, {m, corobench_arguments:integer(1)}],
    corobench:run("switch", Parameters, [{count, corobench_arguments:flag()}], fun(Program) ->
        corobench:repeat(Program, fun() -> switch(Program) end)
    end).
