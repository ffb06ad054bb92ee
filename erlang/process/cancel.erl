%% N parked processes are told to exit, clean up and are joined by their monitors.
-module(cancel).
-export([main/0]).

main() ->
    corobench:run("cancel", [{n, corobench_arguments:integer(1)}], fun(#{params := #{n := N}, trace := Trace} = Program) ->
        corobench:hold(Program, base, 0),
        corobench:repeat(Program, fun() -> crowd:park(0, N, Trace) end, fun(Parked, _) -> crowd:cancel(Parked) end),
        corobench:hold(Program, released, 0)
    end).
