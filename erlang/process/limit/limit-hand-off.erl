%% Two processes send a token to and fro, M times each: a bare number, which no receive could tell from another message.
-module('limit-hand-off').
-export([main/0]).

%% Receives the token, adds one and sends it on, Rounds times; returns how often it had it.
play(Trace, I, Next, Rounds) ->
    play(Trace, I, Next, Rounds, 0).

play(_, _, _, Rounds, Received) when Received =:= Rounds ->
    Received;
play(Trace, I, Next, Rounds, Received) ->
    receive
        Token ->
            corobench_trace:run(Trace, I),
            Next ! Token + 1,
            play(Trace, I, Next, Rounds, Received + 1)
    end.

main() ->
    corobench:run("hand-off", [{m, corobench_arguments:integer(1)}], fun(#{params := #{m := M}, trace := Trace} = Program) ->
        Prepare = fun() -> player:prepare(Trace, 2, M, fun play/4) end,
        corobench:repeat(Program, Prepare, fun(Zero, Nonce) -> player:pass(Trace, 2, Zero, Nonce) end)
    end).
