%% Two processes send a token to and fro, M times each: tagged, so that a receive can tell it from other messages, or with limit=1 the bare number.
-module('hand-off').
-export([main/0]).

main() ->
    Options = [{limit, corobench_arguments:flag()}],
    corobench:run("hand-off", [{m, corobench_arguments:integer(1)}], Options, fun(#{params := #{m := M} = Params, trace := Trace} = Program) ->
        Form = case Params of #{limit := 1} -> bare; _ -> tagged end,
        corobench:repeat(Program, fun() -> player:prepare(Trace, 2, M, Form) end, fun(Zero) -> player:pass(Trace, 2, Zero, Form) end)
    end).
