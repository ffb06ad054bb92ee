%% N processes take M steps of fizzbuzz each: as plain calls (base), without waiting (spawn), or with a yield after each step (yield).
-module(fizzbuzz).
-export([main/0, worth/1]).

fizzbuzz(Value) when Value rem 15 =:= 0 -> <<"FizzBuzz">>;
fizzbuzz(Value) when Value rem 3 =:= 0 -> <<"Fizz">>;
fizzbuzz(Value) when Value rem 5 =:= 0 -> <<"Buzz">>;
fizzbuzz(Value) -> integer_to_binary(Value).

worth(Value) ->
    Text = fizzbuzz(Value),
    31 * byte_size(Text) + binary:first(Text).

%% The steps that a task did, and what they were worth.
body(Task, M, Yields) -> body(Task, M, Yields, 0, 0).

body(_, M, _, Steps, Sum) when Steps =:= M ->
    {Steps, Sum};
body(Task, M, Yields, Steps, Sum) ->
    Worth = worth(Task + Steps),
    Yields andalso erlang:yield(),
    body(Task, M, Yields, Steps + 1, Sum + Worth).

run(<<"base">>, N, M, _) ->
    add([body(I, M, false) || I <- lists:seq(0, N - 1)]);
run(Phase, N, M, Trace) ->
    Yields = Phase =:= <<"yield">>,
    [corobench_task:start(Trace, I, fun() -> body(I, M, Yields) end) || I <- lists:seq(0, N - 1)],
    add([collect(Trace) || _ <- lists:seq(0, N - 1)]).

collect(Trace) ->
    receive
        {result, Task, Done} ->
            corobench_trace:collect(Trace, Task),
            Done
    end.

add(Results) ->
    {Steps, Sums} = lists:unzip(Results),
    Finished = length(Results),
    {Finished, [{finished, Finished}, {steps, lists:sum(Steps)}, {checksum, lists:sum(Sums)}]}.

main() ->
    Phases = corobench_arguments:word(["base", "spawn", "yield"]),
    Parameters = [{phase, Phases}, {n, corobench_arguments:integer(1)}, {m, corobench_arguments:integer(1)}],
    corobench:run("fizzbuzz", Parameters, fun(#{params := #{phase := Phase, n := N, m := M}, trace := Trace} = Program) ->
        corobench:repeat(Program, fun(_) -> run(Phase, N, M, Trace) end)
    end).
