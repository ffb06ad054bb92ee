%% Starts N processes, then collects and sums what they return.
-module(spawn).
-export([main/0]).

spawn_all(N, Trace, Start) ->
    Tasks = [Start(Trace, I, fun() -> I end) || I <- lists:seq(0, N - 1)],
    Created = length(Tasks),
    {Finished, Sum} = corobench_task:collect(Trace, Created),
    {Finished, [{created, Created}, {finished, Finished}, {checksum, Sum}]}.

%% Linked, as users start them, or with limit=1 without.
start(#{limit := 1}) -> fun corobench_task:start_unlinked/3;
start(_) -> fun corobench_task:start/3.

main() ->
    Options = [{limit, corobench_arguments:flag()}],
    corobench:run("spawn", [{n, corobench_arguments:integer(1)}], Options, fun(#{params := #{n := N} = Params, trace := Trace} = Program) ->
        Start = start(Params),
        corobench:repeat(Program, fun() -> spawn_all(N, Trace, Start) end)
    end).
