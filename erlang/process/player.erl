%% The tasks of hand-off and ring: processes that each wait for the token from the one before, and pass it round.
-module(player).
-export([prepare/4, pass/4]).

%% The token is a message with a tag, or nothing but its number: then no other message may come.
-type form() :: tagged | bare.

%% Starts K tasks and tells each who is next; returns the first when all of them wait for the token.
-spec prepare(corobench_trace:trace(), pos_integer(), pos_integer(), form()) -> pid().
prepare(Trace, K, Rounds, Form) ->
    Root = self(),
    Zero = corobench_task:start_resuming(Trace, 0, fun() -> first(Trace, Rounds, Root, Form) end),
    Others = [corobench_task:start_resuming(Trace, I, fun() -> task(Trace, I, Rounds, Root, Form) end) || I <- lists:seq(1, K - 1)],
    Players = [Zero | Others],
    [Player ! {next, Next} || {Player, Next} <- lists:zip(Players, Others ++ [Zero])],
    [receive ready -> ok end || _ <- Players],
    Zero.

%% Gives the first task the token, and collects all K.
-spec pass(corobench_trace:trace(), pos_integer(), pid(), form()) -> corobench:outcome().
pass(Trace, K, Zero, Form) ->
    Zero ! token(Form, 0),
    {Finished, Messages} = corobench_task:collect(Trace, K),
    receive
        {last, Last} -> {Messages, [{finished, Finished}, {messages, Messages}, {checksum, Last}]}
    end.

token(tagged, Number) -> {token, Number};
token(bare, Number) -> Number.

%% A task learns who is next, says that it has nothing left to do but to wait, and plays.
task(Trace, I, Rounds, Root, Form) ->
    receive
        {next, Next} ->
            Root ! ready,
            play(Form, Trace, I, Next, Rounds)
    end.

%% The last task's last send goes to task 0, which hands it to the root.
first(Trace, Rounds, Root, Form) ->
    Received = task(Trace, 0, Rounds, Root, Form),
    receive
        {token, Last} -> Root ! {last, Last};
        Last -> Root ! {last, Last}
    end,
    Received.

play(tagged, Trace, I, Next, Rounds) -> play_tagged(Trace, I, Next, Rounds, 0);
play(bare, Trace, I, Next, Rounds) -> play_bare(Trace, I, Next, Rounds, 0).

%% Receives the token, adds one and sends it on, Rounds times; returns how often it had it.
play_tagged(_, _, _, Rounds, Received) when Received =:= Rounds ->
    Received;
play_tagged(Trace, I, Next, Rounds, Received) ->
    receive
        {token, Token} ->
            corobench_trace:run(Trace, I),
            Next ! {token, Token + 1},
            play_tagged(Trace, I, Next, Rounds, Received + 1)
    end.

play_bare(_, _, _, Rounds, Received) when Received =:= Rounds ->
    Received;
play_bare(Trace, I, Next, Rounds, Received) ->
    receive
        Token ->
            corobench_trace:run(Trace, I),
            Next ! Token + 1,
            play_bare(Trace, I, Next, Rounds, Received + 1)
    end.
