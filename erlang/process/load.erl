%% Processes that do nothing but yield until they are told to end.
-module(load).
-export([yields/0, stop/1]).

%% How often it yielded.
-spec yields() -> non_neg_integer().
yields() -> yields(0).

yields(Count) ->
    receive
        stop -> Count
    after 0 ->
        erlang:yield(),
        yields(Count + 1)
    end.

-spec stop([pid()]) -> ok.
stop(Tasks) ->
    lists:foreach(fun(Task) -> Task ! stop end, Tasks).
