%% What verify reads of the startup program; a measured start never loads it.
-module(startup_report).
-export([main/1]).

main(FirstTask) ->
    Parameters = [{mode, corobench_arguments:word(["bare", "first-task"])}],
    corobench:run("startup", Parameters, [{report, corobench_arguments:flag()}], fun(#{params := #{mode := Mode}} = Program) ->
        corobench:once(Program, fun(_) -> {1, [{finished, perform(Mode, FirstTask)}]} end)
    end).

perform(<<"bare">>, _) -> 0;
perform(<<"first-task">>, FirstTask) -> FirstTask().
