%% Parks N processes, each eight calls deep with 1 KiB of its own.
-module('memory-state').
-export([main/0]).

-define(DEPTH, 8).
-define(SIZE, 1024).
-define(VALUES, 251).

%% What a level adds to the answer keeps its call from being one in tail position, which would leave no frame.
descend(Gate, I, ?DEPTH) ->
    State = binary:copy(<<(I rem ?VALUES)>>, ?SIZE),
    parking:wait(Gate, I),
    {1, I - I rem ?VALUES + binary:last(State)};
descend(Gate, I, Level) ->
    {Frames, Result} = descend(Gate, I, Level + 1),
    {Frames + 1, Result}.

main() ->
    parking:run("memory-state", fun(Gate, I) ->
        {?DEPTH, Result} = descend(Gate, I, 1),
        Result
    end).
