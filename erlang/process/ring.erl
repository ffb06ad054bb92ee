%% K processes, each waiting for the token from the one before it, pass it round.
-module(ring).
-export([main/0]).

%% A task says that it is there, learns who is next, and plays.
task(Trace, I, Rounds, Root) ->
    Root ! ready,
    receive
        {next, Next} -> player:play(Trace, I, Next, Rounds)
    end.

%% The last task's last send goes to task 0, which has ended by then or hands it to the root.
first(Trace, Rounds, Root) ->
    Received = task(Trace, 0, Rounds, Root),
    receive
        {token, Last} -> Root ! {last, Last}
    end,
    Received.

prepare(K, Rounds, Trace) ->
    Root = self(),
    Zero = corobench_task:start_resuming(Trace, 0, fun() -> first(Trace, Rounds, Root) end),
    Others = [corobench_task:start_resuming(Trace, I, fun() -> task(Trace, I, Rounds, Root) end) || I <- lists:seq(1, K - 1)],
    Players = [Zero | Others],
    [receive ready -> ok end || _ <- Players],
    [Player ! {next, Next} || {Player, Next} <- lists:zip(Players, Others ++ [Zero])],
    Zero.

pass(K, Zero, Trace) ->
    Zero ! {token, 0},
    {Finished, Messages} = corobench_task:collect(Trace, K),
    receive
        {last, Token} -> {Messages, [{finished, Finished}, {messages, Messages}, {checksum, Token}]}
    end.

main() ->
    Parameters = [{k, corobench_arguments:integer(1)}, {rounds, corobench_arguments:integer(1)}],
    corobench:run("ring", Parameters, fun(#{params := #{k := K, rounds := Rounds}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun() -> prepare(K, Rounds, Trace) end, fun(Zero) -> pass(K, Zero, Trace) end)
    end).
