%% K processes, each waiting for the token from the one before it, pass it round.
-module(ring).
-export([main/0]).

main() ->
    Parameters = [{k, corobench_arguments:integer(1)}, {rounds, corobench_arguments:integer(1)}],
    corobench:run("ring", Parameters, fun(#{params := #{k := K, rounds := Rounds}, trace := Trace} = Program) ->
        Prepare = fun() -> player:prepare(Trace, K, Rounds, fun player:play/4) end,
        corobench:repeat(Program, Prepare, fun(Zero, Nonce) -> player:pass(Trace, K, Zero, {token, Nonce}) end)
    end).
