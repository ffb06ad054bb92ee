%% Each process starts the next as its last act; the root waits for the last one only.
-module('spawn-chain').
-export([main/0]).

%% What has been counted so far travels along the chain. The end of a task is recorded before it starts the next, since both may run at once.
link(I, N, Root, Finished, Sum, Trace) ->
    corobench_trace:run(Trace, I),
    corobench_trace:done(Trace, I),
    follow(I + 1, N, Root, Finished + 1, Sum + I, Trace).

follow(N, N, Root, Finished, Sum, _) ->
    Root ! {ended, Finished, Sum};
follow(I, N, Root, Finished, Sum, Trace) ->
    corobench_task:start_bare(Trace, I, fun() -> link(I, N, Root, Finished, Sum, Trace) end).

chain(N, Trace) ->
    follow(0, N, self(), 0, 0, Trace),
    receive
        {ended, Finished, Sum} -> {Finished, [{finished, Finished}, {checksum, Sum}]}
    end.

main() ->
    corobench:run("spawn-chain", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun() -> chain(N, Trace) end)
    end).
