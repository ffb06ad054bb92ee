%% Records who runs when, in a table that all processes write. Without trace=1 there is no recorder: none.
-module(corobench_trace).
-export([new/1, spawn/2, spawned/2, run/2, park/2, open/2, fail/2, close/2, done/2, collect/2, hold/1, events/1]).
-export_type([trace/0]).

-type trace() :: none | ets:table().

-spec new(0 | 1) -> trace().
new(0) -> none;
new(1) -> ets:new(trace, [ordered_set, public]).

spawn(Trace, Task) -> record(Trace, spawn, Task).
spawned(Trace, Task) -> record(Trace, spawned, Task).
run(Trace, Task) -> record(Trace, run, Task).
park(Trace, Task) -> record(Trace, park, Task).
open(Trace, Scope) -> record(Trace, open, Scope).
fail(Trace, Task) -> record(Trace, fail, Task).
close(Trace, Scope) -> record(Trace, close, Scope).
done(Trace, Task) -> record(Trace, done, Task).
collect(Trace, Task) -> record(Trace, collect, Task).
hold(Trace) -> record(Trace, hold, -1).

record(none, _, _) ->
    ok;
record(Trace, Kind, Task) ->
    true = ets:insert(Trace, {erlang:unique_integer([monotonic]), Kind, Task, list_to_binary(pid_to_list(self()))}),
    ok.

%% The events in their order, once every task that was started has recorded its last.
-spec events(trace()) -> none | [list()].
events(none) ->
    none;
events(Trace) ->
    Count = fun(Kind) -> ets:select_count(Trace, [{{'_', Kind, '_', '_'}, [], [true]}]) end,
    case {Count(spawned), Count(done) + Count(fail)} of
        {Started, Started} ->
            [[Kind, Task, Unit] || {_, Kind, Task, Unit} <- ets:tab2list(Trace)];
        _ ->
            erlang:yield(),
            events(Trace)
    end.
