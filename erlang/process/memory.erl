%% Parks N processes that hold nothing but their number.
-module(memory).
-export([main/0]).

main() ->
    parking:run("memory", fun(Gate, I) ->
        parking:wait(Gate, I),
        I
    end).
