%% Reads key=value words, and names precisely what is wrong with them.
-module(corobench_arguments).
-export([parse/3, integer/1, power_of_ten/0, flag/0, word/1]).
-export_type([reader/0]).

%% Returns the value that a text stands for, or error with what it must be.
-type reader() :: fun((string()) -> {ok, integer() | binary()} | {error, string()}).

%% The values of the workload's keys (options that were given included), and those of the harness's.
-spec parse([string()], [{atom(), reader()}], [{atom(), reader()}]) -> {map(), map()}.
parse(Words, Parameters, Options) ->
    Shared = [{iterations, integer(1)}, {min_warm_ms, integer(0)}, {trace, flag()}, {nonce, integer(0)}],
    Given = lists:foldl(fun(Word, Seen) -> read(Word, Parameters ++ Options ++ Shared, Seen) end, #{}, Words),
    [corobench:usage("~s is missing", [Name]) || {Name, _} <- Parameters, not is_map_key(Name, Given)],
    Names = [Name || {Name, _} <- Shared],
    Defaults = #{iterations => 1, min_warm_ms => 0, trace => 0, nonce => 0},
    {maps:without(Names, Given), maps:merge(Defaults, maps:with(Names, Given))}.

read(Word, Known, Seen) ->
    case string:split(Word, "=") of
        [Key, Text] ->
            {Name, Read} = known(Key, Known),
            is_map_key(Name, Seen) andalso corobench:usage("~s is given twice", [Key]),
            case Read(Text) of
                {ok, Value} -> Seen#{Name => Value};
                {error, Wanted} -> corobench:usage("~ts: must be ~s", [Word, Wanted])
            end;
        _ ->
            corobench:usage("~ts is not key=value", [Word])
    end.

known(Key, Known) ->
    case [Pair || {Name, _} = Pair <- Known, atom_to_list(Name) =:= Key] of
        [Pair] -> Pair;
        [] -> corobench:usage("unknown key ~ts", [Key])
    end.

-spec integer(integer()) -> reader().
integer(Least) ->
    fun(Text) ->
        case string:to_integer(Text) of
            {Value, ""} when Value >= Least -> {ok, Value};
            _ -> {error, io_lib:format("an integer of at least ~b", [Least])}
        end
    end.

-spec power_of_ten() -> reader().
power_of_ten() ->
    fun(Text) ->
        case string:trim(Text, trailing, "0") of
            "1" -> {ok, list_to_integer(Text)};
            _ -> {error, "a power of ten"}
        end
    end.

-spec flag() -> reader().
flag() ->
    fun
        ("0") -> {ok, 0};
        ("1") -> {ok, 1};
        (_) -> {error, "0 or 1"}
    end.

-spec word([string()]) -> reader().
word(Known) ->
    fun(Text) ->
        case lists:member(Text, Known) of
            true -> {ok, list_to_binary(Text)};
            false -> {error, ["one of ", lists:join(", ", Known)]}
        end
    end.
