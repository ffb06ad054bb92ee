%% Two processes send a token to and fro, M times each.
-module('hand-off').
-export([main/0]).

%% Task 1 is told who task 0 is, which is started after it. Once both have had the token M times, the last one sent it to nobody.
hand_off(M, Trace) ->
    Root = self(),
    One = corobench_task:start_resuming(Trace, 1, fun() ->
        receive
            {partner, Zero} -> player:play(Trace, 1, Zero, M)
        end
    end),
    Zero = corobench_task:start_resuming(Trace, 0, fun() ->
        Received = player:play(Trace, 0, One, M),
        receive
            {token, Last} -> Root ! {last, Last}
        end,
        Received
    end),
    One ! {partner, Zero},
    Zero ! {token, 0},
    {Finished, Messages} = corobench_task:collect(Trace, 2),
    receive
        {last, Token} -> {Messages, [{finished, Finished}, {messages, Messages}, {checksum, Token}]}
    end.

main() ->
    corobench:run("hand-off", [{m, corobench_arguments:integer(1)}], fun(#{params := #{m := M}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun() -> hand_off(M, Trace) end)
    end).
