%% Calls a plain function N times and sums what it returns: the language without processes.
-module(baseline).
-export([main/0, body/1]).

%% Called by its module's name, which keeps the compiler from inlining it.
body(I) -> I.

call(End, End, Sum) -> {End, Sum};
call(I, End, Sum) -> call(I + 1, End, Sum + ?MODULE:body(I)).

main() ->
    corobench:run("baseline", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}} = Program) ->
        corobench:repeat(Program, fun(Nonce) ->
            {End, Sum} = call(Nonce, Nonce + N, 0),
            Finished = End - Nonce,
            {Finished, [{finished, Finished}, {checksum, Sum}]}
        end)
    end).
