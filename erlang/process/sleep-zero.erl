%% K processes sleep M times each for no time at all.
-module('sleep-zero').
-export([main/0]).

%% How often the task woke, counted from the nonce up to Last.
sleeps(_, Last, Last, _) ->
    Last;
sleeps(Task, Last, Count, Trace) ->
    timer:sleep(0),
    corobench_trace:run(Trace, Task),
    sleeps(Task, Last, Count + 1, Trace).

sleep_zero(Nonce, K, M, Trace) ->
    [corobench_task:start_resuming(Trace, I, fun() -> sleeps(I, Nonce + M, Nonce, Trace) end) || I <- lists:seq(0, K - 1)],
    {Finished, Sum} = corobench_task:collect(Trace, K),
    {Sum - Finished * Nonce, [{finished, Finished}, {checksum, Sum}]}.

main() ->
    Parameters = [{k, corobench_arguments:integer(1)}, {m, corobench_arguments:integer(1)}],
    corobench:run("sleep-zero", Parameters, fun(#{params := #{k := K, m := M}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun(Nonce) -> sleep_zero(Nonce, K, M, Trace) end)
    end).
