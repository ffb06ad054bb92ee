%% The smallest process, or one task. The harness is loaded only for other words than these, and for the report that verify asks for.
-module(startup).
-export([main/0]).

main() ->
    case init:get_plain_arguments() of
        ["mode=bare"] -> halt(0);
        ["mode=first-task"] -> 1 = first_task(), halt(0);
        _ -> startup_report:main(fun first_task/0)
    end.

first_task() ->
    Root = self(),
    spawn_link(fun() -> Root ! {result, 1} end),
    receive
        {result, Value} -> Value
    end.
