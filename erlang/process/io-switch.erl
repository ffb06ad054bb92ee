%% Two processes pass a byte to and fro over a pair of Unix stream sockets.
-module('io-switch').
-export([main/0]).

%% OTP has no socketpair; what a listener accepted and what connected to it are such a pair. An abstract name leaves no file behind.
connect() ->
    Options = [binary, {active, false}],
    Address = {local, <<0, "corobench-", (list_to_binary(os:getpid()))/binary>>},
    {ok, Listener} = gen_tcp:listen(0, [{ifaddr, Address} | Options]),
    {ok, Left} = gen_tcp:connect(Address, 0, Options),
    {ok, Right} = gen_tcp:accept(Listener),
    ok = gen_tcp:close(Listener),
    {Left, Right}.

%% How many bytes came back.
ask(_, 0, Received) ->
    Received;
ask(Socket, M, Received) ->
    ok = gen_tcp:send(Socket, <<"x">>),
    {ok, Bytes} = gen_tcp:recv(Socket, 1),
    ask(Socket, M - 1, Received + byte_size(Bytes)).

%% How many bytes came, and were sent back.
answer(_, 0, Received) ->
    Received;
answer(Socket, M, Received) ->
    {ok, Bytes} = gen_tcp:recv(Socket, 1),
    ok = gen_tcp:send(Socket, Bytes),
    answer(Socket, M - 1, Received + byte_size(Bytes)).

alternate({Left, Right}, M, Trace) ->
    corobench_task:start(Trace, 0, fun() -> ask(Left, M, 0) end),
    corobench_task:start(Trace, 1, fun() -> answer(Right, M, 0) end),
    {Finished, Messages} = corobench_task:collect(Trace, 2),
    {Messages div 2, [{finished, Finished}, {messages, Messages}]}.

main() ->
    corobench:run("io-switch", [{m, corobench_arguments:integer(1)}], fun(#{params := #{m := M}, trace := Trace} = Program) ->
        Pair = connect(),
        corobench:repeat(Program, fun(_) -> alternate(Pair, M, Trace) end)
    end).
