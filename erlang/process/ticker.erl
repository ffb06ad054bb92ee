%% One process wakes on an absolute schedule while K others do nothing but yield.
-module(ticker).
-export([main/0]).

-define(MS, 1_000_000).

now_ns() -> erlang:monotonic_time(nanosecond).

%% How late each tick was taken. One that is overdue is taken without a sleep; a sleep is a whole number of milliseconds.
tick(Ticks, Period) -> tick(Ticks, Period, now_ns() + Period, []).

tick(0, _, _, Lateness) ->
    lists:reverse(Lateness);
tick(Ticks, Period, Due, Lateness) ->
    Left = Due - now_ns(),
    Left > 0 andalso timer:sleep((Left + ?MS - 1) div ?MS),
    tick(Ticks - 1, Period, Due + Period, [max(0, now_ns() - Due) | Lateness]).

run(K, Ticks, Period, Trace) ->
    Root = self(),
    Others = [
        corobench_task:start(Trace, I, fun() -> Root ! running, load:yields() end)
     || I <- lists:seq(0, K - 1)
    ],
    [receive running -> ok end || _ <- Others],
    corobench_task:start(Trace, K, fun() -> tick(Ticks, Period) end),
    Lateness = receive {result, K, Late} -> Late end,
    load:stop(Others),
    Counts = [receive {result, _, Count} -> Count end || _ <- Others],
    Active = length([active || Count <- Counts, Count > 0]),
    {{length(Lateness), [{finished, length(Counts) + 1}, {active, Active}, {yields, lists:sum(Counts)}]}, Lateness}.

main() ->
    Parameters = [{Name, corobench_arguments:integer(1)} || Name <- [k, ticks, period_us]],
    corobench:run("ticker", Parameters, fun(#{params := #{k := K, ticks := Ticks, period_us := Us}, trace := Trace} = Program) ->
        Root = self(),
        corobench:once(Program, fun(_) ->
            {Outcome, Lateness} = run(K, Ticks, Us * 1_000, Trace),
            Root ! {lateness, Lateness},
            Outcome
        end),
        receive
            {lateness, Values} -> corobench:series(lateness, Values)
        end
    end).
