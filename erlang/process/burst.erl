%% Out of a root that has slept N processes are started at once, and again; each tells when it first ran.
-module(burst).
-export([main/0]).

now_ns() -> erlang:monotonic_time(nanosecond).

%% How many were started, and of each its number and how many nanoseconds after the beginning of the burst it first ran.
burst(First, N, Idle, Trace) ->
    timer:sleep(Idle),
    Began = now_ns(),
    Tasks = [corobench_task:start(Trace, I, fun() -> {I, now_ns() - Began} end) || I <- lists:seq(First, First + N - 1)],
    {length(Tasks), [collect(Trace) || _ <- Tasks]}.

collect(Trace) ->
    receive
        {result, Task, Ran} ->
            corobench_trace:collect(Trace, Task),
            Ran
    end.

outcome(Bursts) ->
    {Created, Ran} = lists:unzip(Bursts),
    All = lists:append(Ran),
    Finished = length(All),
    Sum = lists:sum([I || {I, _} <- All]),
    Last = lists:sum([lists:max([Start || {_, Start} <- One]) || One <- Ran]),
    {Finished, [{created, lists:sum(Created)}, {finished, Finished}, {checksum, Sum}, {last_ns, Last}]}.

main() ->
    Parameters = [{Name, corobench_arguments:integer(1)} || Name <- [n, bursts, idle_ms]],
    corobench:run("burst", Parameters, fun(#{params := #{n := N, bursts := Count, idle_ms := Idle}, trace := Trace} = Program) ->
        Root = self(),
        corobench:once(Program, fun(Nonce) ->
            Bursts = [burst(Nonce + Number * N, N, Idle, Trace) || Number <- lists:seq(0, Count - 1)],
            Root ! {starts, [Start || {_, Ran} <- Bursts, {_, Start} <- Ran]},
            outcome(Bursts)
        end),
        receive
            {starts, Values} -> corobench:series(start, Values)
        end
    end).
