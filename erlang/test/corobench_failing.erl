%% A planted fault: a task of which nobody collects anything fails while the root waits.
-module(corobench_failing).
-export([main/0]).

main() ->
    corobench:run("planted", [], fun(#{trace := Trace}) ->
        corobench_task:start_bare(Trace, 0, fun() -> exit(planted) end),
        receive
            never -> ok
        end
    end).
