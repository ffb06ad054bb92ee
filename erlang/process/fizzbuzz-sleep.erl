%% N processes take M steps of fizzbuzz each and sleep after every one; the emulator is held still when all of them sleep.
-module('fizzbuzz-sleep').
-export([main/0]).

%% Those that sleep now, and all that ever slept: the first may end before the last is there.
-define(ALIVE, 1).
-define(ASLEEP, 2).
-define(MS, 1_000_000).

%% The steps that a task did, what they were worth, and how many nanoseconds late its last sleep ended.
body(Task, M, Sleep, Crowd) -> body(Task, M, Sleep, Crowd, {0, 0, 0}).

body(_, M, _, {_, _, Alive}, {Steps, _, _} = Done) when Steps =:= M ->
    atomics:sub(Alive, ?ALIVE, 1),
    Done;
body(Task, M, Sleep, Crowd, {Steps, Sum, _}) ->
    Worth = fizzbuzz:worth(Task + Steps),
    Steps =:= 0 andalso enter(Task, Crowd),
    body(Task, M, Sleep, Crowd, {Steps + 1, Sum + Worth, oversleep(Sleep)}).

%% A task counts itself as its last act before its first sleep; the last of all tells the root.
enter(Task, {Trace, All, Alive}) ->
    corobench_trace:park(Trace, Task),
    atomics:add(Alive, ?ALIVE, 1),
    atomics:add_get(Alive, ?ASLEEP, 1) =:= maps:get(n, All) andalso (maps:get(root, All) ! asleep).

oversleep(Sleep) ->
    Start = now_ns(),
    timer:sleep(Sleep),
    max(0, now_ns() - Start - Sleep * ?MS).

now_ns() -> erlang:monotonic_time(nanosecond).

run(#{params := #{n := N, m := M, sleep_ms := Sleep}, trace := Trace}, Alive, Hold) ->
    Crowd = {Trace, #{n => N, root => self()}, Alive},
    [corobench_task:start(Trace, I, fun() -> body(I, M, Sleep, Crowd) end) || I <- lists:seq(0, N - 1)],
    receive
        asleep -> ok
    end,
    MostAlive = Hold(live),
    {Steps, Sums, Lateness} = lists:unzip3([collect(Trace) || _ <- lists:seq(1, N)]),
    Finished = length(Steps),
    Evidence = [{finished, Finished}, {steps, lists:sum(Steps)}, {checksum, lists:sum(Sums)}, {most_alive, MostAlive}],
    {{lists:sum(Steps), Evidence}, Lateness}.

collect(Trace) ->
    receive
        {result, Task, Done} ->
            corobench_trace:collect(Trace, Task),
            Done
    end.

main() ->
    Parameters = [{Name, corobench_arguments:integer(1)} || Name <- [n, m, sleep_ms]],
    corobench:run("fizzbuzz-sleep", Parameters, fun(Program) ->
        Root = self(),
        Alive = atomics:new(2, []),
        Hold = fun(Point) ->
            Units = atomics:get(Alive, ?ALIVE),
            corobench:hold(Program, Point, Units),
            Units
        end,
        Hold(base),
        corobench:once(Program, fun(_) ->
            {Outcome, Lateness} = run(Program, Alive, Hold),
            Root ! {lateness, Lateness},
            Outcome
        end),
        receive
            {lateness, Values} -> corobench:series(lateness, Values)
        end
    end).
