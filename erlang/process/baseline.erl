%% Calls a plain function N times and sums what it returns: the language without processes.
-module(baseline).
-export([main/0, body/1]).

%% Called by its module's name, which keeps the compiler from inlining it.
body(I) -> I.

call(N, N, Sum) -> {N, Sum};
call(I, N, Sum) -> call(I + 1, N, Sum + ?MODULE:body(I)).

main() ->
    corobench:run("baseline", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}} = Program) ->
        corobench:repeat(Program, fun() ->
            {Finished, Sum} = call(0, N, 0),
            {Finished, [{finished, Finished}, {checksum, Sum}]}
        end)
    end).
