%% The tasks of hand-off and ring: processes that each wait for the token from the one before, and pass it round.
-module(player).
-export([prepare/4, play/4, pass/4]).

%% Receives the token and sends it to Next, Rounds times; returns how often it had it.
-type play() :: fun((corobench_trace:trace(), Task :: non_neg_integer(), Next :: pid(), Rounds :: pos_integer()) -> pos_integer()).

%% A number, tagged so that a receive can tell it from other messages, or bare: then no other message may come.
-type token() :: {token, non_neg_integer()} | non_neg_integer().

%% Starts K tasks and tells each who is next; returns the first when all of them wait for the token.
-spec prepare(corobench_trace:trace(), pos_integer(), pos_integer(), play()) -> pid().
prepare(Trace, K, Rounds, Play) ->
    Root = self(),
    Zero = corobench_task:start_resuming(Trace, 0, fun() -> first(Trace, Rounds, Root, Play) end),
    Others = [corobench_task:start_resuming(Trace, I, fun() -> task(Trace, I, Rounds, Root, Play) end) || I <- lists:seq(1, K - 1)],
    Players = [Zero | Others],
    [Player ! {next, Next} || {Player, Next} <- lists:zip(Players, Others ++ [Zero])],
    [receive ready -> ok end || _ <- Players],
    Zero.

%% Gives the first task the token, and collects all K.
-spec pass(corobench_trace:trace(), pos_integer(), pid(), token()) -> corobench:outcome().
pass(Trace, K, Zero, Token) ->
    Zero ! Token,
    {Finished, Messages} = corobench_task:collect(Trace, K),
    receive
        {last, Last} -> {Messages, [{finished, Finished}, {messages, Messages}, {checksum, Last}]}
    end.

%% A task learns who is next, says that it has nothing left to do but to wait, and plays.
task(Trace, I, Rounds, Root, Play) ->
    receive
        {next, Next} ->
            Root ! ready,
            Play(Trace, I, Next, Rounds)
    end.

%% The last task's last send goes to task 0, which hands it to the root.
first(Trace, Rounds, Root, Play) ->
    Received = task(Trace, 0, Rounds, Root, Play),
    receive
        {token, Last} -> Root ! {last, Last};
        Last -> Root ! {last, Last}
    end,
    Received.

%% Receives the token, adds one and sends it on, Rounds times; returns how often it had it.
-spec play(corobench_trace:trace(), non_neg_integer(), pid(), pos_integer()) -> pos_integer().
play(Trace, I, Next, Rounds) ->
    play(Trace, I, Next, Rounds, 0).

play(_, _, _, Rounds, Received) when Received =:= Rounds ->
    Received;
play(Trace, I, Next, Rounds, Received) ->
    receive
        {token, Token} ->
            corobench_trace:run(Trace, I),
            Next ! {token, Token + 1},
            play(Trace, I, Next, Rounds, Received + 1)
    end.
