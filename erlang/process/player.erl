%% The task of hand-off and ring.
-module(player).
-export([play/4]).

%% Receives the token, adds one and sends it on, Rounds times; returns how often it had it.
-spec play(corobench_trace:trace(), non_neg_integer(), pid(), non_neg_integer()) -> non_neg_integer().
play(Trace, I, Next, Rounds) -> play(Trace, I, Next, Rounds, 0).

play(_, _, _, Rounds, Received) when Received =:= Rounds ->
    Received;
play(Trace, I, Next, Rounds, Received) ->
    receive
        {token, Token} ->
            corobench_trace:run(Trace, I),
            Next ! {token, Token + 1},
            play(Trace, I, Next, Rounds, Received + 1)
    end.
