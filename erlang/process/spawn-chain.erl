%% Processes are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only.
-module('spawn-chain').
-export([main/0]).

%% What has been counted so far travels along the chain. The end of a task is recorded before it starts the next, since both may run at once.
link(I, End, Root, Finished, Sum, Trace) ->
    corobench_trace:run(Trace, I),
    corobench_trace:done(Trace, I),
    follow(I + 1, End, Root, Finished + 1, Sum + I, Trace).

follow(End, End, Root, Finished, Sum, _) ->
    Root ! {ended, Finished, Sum};
follow(I, End, Root, Finished, Sum, Trace) ->
    corobench_task:start_bare(Trace, I, fun() -> link(I, End, Root, Finished, Sum, Trace) end).

chain(First, N, Trace) ->
    follow(First, First + N, self(), 0, 0, Trace),
    receive
        {ended, Finished, Sum} -> {Finished, [{finished, Finished}, {checksum, Sum}]}
    end.

main() ->
    corobench:run("spawn-chain", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun(Nonce) -> chain(Nonce, N, Trace) end)
    end).
