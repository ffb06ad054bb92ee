%% The tasks of hand-off and ring: processes that each wait for the token from the one before, and pass it round.
-module(player).
-export([prepare/3, pass/3]).

%% Starts K tasks and tells each who is next; returns the first when all of them wait for the token.
-spec prepare(corobench_trace:trace(), pos_integer(), pos_integer()) -> pid().
prepare(Trace, K, Rounds) ->
    Root = self(),
    Zero = corobench_task:start_resuming(Trace, 0, fun() -> first(Trace, Rounds, Root) end),
    Others = [corobench_task:start_resuming(Trace, I, fun() -> task(Trace, I, Rounds, Root) end) || I <- lists:seq(1, K - 1)],
    Players = [Zero | Others],
    [Player ! {next, Next} || {Player, Next} <- lists:zip(Players, Others ++ [Zero])],
    [receive ready -> ok end || _ <- Players],
    Zero.

%% Gives the first task the token, and collects all K.
-spec pass(corobench_trace:trace(), pos_integer(), pid()) -> corobench:outcome().
pass(Trace, K, Zero) ->
    Zero ! {token, 0},
    {Finished, Messages} = corobench_task:collect(Trace, K),
    receive
        {last, Token} -> {Messages, [{finished, Finished}, {messages, Messages}, {checksum, Token}]}
    end.

%% A task learns who is next, says that it has nothing left to do but to wait, and plays.
task(Trace, I, Rounds, Root) ->
    receive
        {next, Next} ->
            Root ! ready,
            play(Trace, I, Next, Rounds, 0)
    end.

%% The last task's last send goes to task 0, which hands it to the root.
first(Trace, Rounds, Root) ->
    Received = task(Trace, 0, Rounds, Root),
    receive
        {token, Last} -> Root ! {last, Last}
    end,
    Received.

%% Receives the token, adds one and sends it on, Rounds times; returns how often it had it.
play(_, _, _, Rounds, Received) when Received =:= Rounds ->
    Received;
play(Trace, I, Next, Rounds, Received) ->
    receive
        {token, Token} ->
            corobench_trace:run(Trace, I),
            Next ! {token, Token + 1},
            play(Trace, I, Next, Rounds, Received + 1)
    end.
