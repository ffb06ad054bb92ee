%% N processes sleep once, each until a deadline of its own within one second.
-module(timers).
-export([main/0]).

-define(SPREAD_NS, 1_000_000_000).
-define(MS, 1_000_000).

%% How many nanoseconds after its deadline the task went on, negative before. A sleep is a whole number of milliseconds.
sleep_until(Deadline) ->
    Left = max(0, Deadline - now_ns()),
    timer:sleep((Left + ?MS - 1) div ?MS),
    now_ns() - Deadline.

now_ns() -> erlang:monotonic_time(nanosecond).

sleep_all(N, Lead, Trace) ->
    Start = now_ns() + Lead * ?MS,
    Tasks = [
        corobench_task:start(Trace, I, fun() -> {I, sleep_until(Start + I * ?SPREAD_NS div N)} end)
     || I <- lists:seq(0, N - 1)
    ],
    {length(Tasks), [receive {result, I, Woken} -> Woken end || I <- lists:seq(0, N - 1)]}.

outcome({Created, Woken}) ->
    Finished = length(Woken),
    Early = length([late || {_, Late} <- Woken, Late < -?MS]),
    Sum = lists:sum([I || {I, _} <- Woken]),
    {Finished, [{created, Created}, {finished, Finished}, {checksum, Sum}, {early, Early}]}.

main() ->
    Parameters = [{n, corobench_arguments:integer(1)}, {lead, corobench_arguments:integer(0)}],
    corobench:run("timers", Parameters, fun(#{params := #{n := N, lead := Lead}, trace := Trace} = Program) ->
        Root = self(),
        corobench:once(Program, fun(_) ->
            {_, Woken} = Slept = sleep_all(N, Lead, Trace),
            Root ! {lateness, [max(0, Late) || {_, Late} <- Woken]},
            outcome(Slept)
        end),
        receive
            {lateness, Values} -> corobench:series(lateness, Values)
        end
    end).
