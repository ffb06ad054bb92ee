%% Starts N processes, numbered from the nonce on, then collects and sums what they return.
-module(spawn).
-export([main/0]).

spawn_all(First, N, Trace) ->
    Tasks = [corobench_task:start(Trace, I, fun() -> I end) || I <- lists:seq(First, First + N - 1)],
    Created = length(Tasks),
    {Finished, Sum} = corobench_task:collect(Trace, Created),
    {Finished, [{created, Created}, {finished, Finished}, {checksum, Sum}]}.

main() ->
    corobench:run("spawn", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun(Nonce) -> spawn_all(Nonce, N, Trace) end)
    end).
