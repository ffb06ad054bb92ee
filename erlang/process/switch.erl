%% Lets K processes yield M times each.
-module(switch).
-export([main/0]).

%% Counts the task's resumes up to Last. Resumed looks at every resume; without trace=1 or count=1, which are never timed, there is none.
yields(Last, Last, _) ->
    Last;
yields(Last, Count, none) ->
    erlang:yield(),
    yields(Last, Count + 1, none);
yields(Last, Count, Resumed) ->
    erlang:yield(),
    Resumed(),
    yields(Last, Count + 1, Resumed).

%% Both counters are of all tasks: the one resumed last, and the true switches.
resumed(Trace, Task, Counters) ->
    corobench_trace:run(Trace, Task),
    case atomics:exchange(Counters, 1, Task) of
        Task -> ok;
        _ -> atomics:add(Counters, 2, 1)
    end.

%% Each task counts from the nonce on.
switch(#{params := #{k := K, m := M} = Params, trace := Trace}, Nonce) ->
    Counters = atomics:new(2, []),
    atomics:put(Counters, 1, -1),
    Count = maps:get(count, Params, 0) =:= 1,
    Watched = Count orelse Trace =/= none,
    Watch = fun(Task) when Watched -> fun() -> resumed(Trace, Task, Counters) end; (_) -> none end,
    Last = Nonce + M,
    [corobench_task:start_resuming(Trace, I, fun() -> yields(Last, Nonce, Watch(I)) end) || I <- lists:seq(0, K - 1)],
    {Finished, Sum} = corobench_task:collect(Trace, K),
    Resumes = Sum - K * Nonce,
    {Resumes, [{finished, Finished}, {resumes, Resumes}, {checksum, Sum}] ++ [{true_switches, atomics:get(Counters, 2)} || Count]}.

main() ->
    Parameters = [{k, corobench_arguments:integer(1)}, {m, corobench_arguments:integer(1)}],
    corobench:run("switch", Parameters, [{count, corobench_arguments:flag()}], fun(Program) ->
        corobench:repeat(Program, fun(Nonce) -> switch(Program, Nonce) end)
    end).
