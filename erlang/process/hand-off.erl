%% Two processes send a token to and fro, M times each.
-module('hand-off').
-export([main/0]).

main() ->
    corobench:run("hand-off", [{m, corobench_arguments:integer(1)}], fun(#{params := #{m := M}, trace := Trace} = Program) ->
        Prepare = fun() -> player:prepare(Trace, 2, M, fun player:play/4) end,
        corobench:repeat(Program, Prepare, fun(Zero, Nonce) -> player:pass(Trace, 2, Zero, {token, Nonce}) end)
    end).
