%% N parked processes are told to exit, clean up and are joined while K others do nothing but yield.
-module('cancel-loaded').
-export([main/0]).

-define(ACTIVE, 1).

%% Counts itself while it has yielded and not ended; tells the root when it has.
task(Active, Root) ->
    erlang:yield(),
    counters:add(Active, ?ACTIVE, 1),
    Root ! yielded,
    load:yields(),
    counters:sub(Active, ?ACTIVE, 1),
    0.

prepare(N, K, Trace) ->
    Active = counters:new(1, [atomics]),
    Root = self(),
    Others = [corobench_task:start(Trace, I, fun() -> task(Active, Root) end) || I <- lists:seq(0, K - 1)],
    Parked = crowd:park(K, N, Trace),
    [receive yielded -> ok end || _ <- Others],
    {Parked, Others, Active}.

cancel({Parked, _, Active}) ->
    {Ops, Evidence} = crowd:cancel(Parked),
    {Ops, Evidence ++ [{active, counters:get(Active, ?ACTIVE)}]}.

stop({_, Others, _}, Trace) ->
    load:stop(Others),
    corobench_task:collect(Trace, length(Others)).

main() ->
    Parameters = [{n, corobench_arguments:integer(1)}, {k, corobench_arguments:integer(1)}],
    corobench:run("cancel-loaded", Parameters, fun(#{params := #{n := N, k := K}, trace := Trace} = Program) ->
        Prepare = fun() -> prepare(N, K, Trace) end,
        corobench:repeat(Program, Prepare, fun(Prepared, _) -> cancel(Prepared) end, fun(Prepared) -> stop(Prepared, Trace) end)
    end).
