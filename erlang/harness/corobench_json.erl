%% Writes JSON: OTP has had a module for it only since release 27.
-module(corobench_json).
-export([encode/1]).

%% A list of pairs is an object; other lists are arrays; atoms and binaries are strings, but for true and false.
-spec encode(term()) -> iodata().
encode([{_, _} | _] = Members) ->
    [${, lists:join($,, [[string(Name), $:, encode(Value)] || {Name, Value} <- Members]), $}];
encode(Items) when is_list(Items) ->
    [$[, lists:join($,, [encode(Item) || Item <- Items]), $]];
encode(Number) when is_integer(Number) ->
    integer_to_list(Number);
encode(Boolean) when is_boolean(Boolean) ->
    atom_to_list(Boolean);
encode(Text) when is_binary(Text); is_atom(Text) ->
    string(Text).

string(Name) when is_atom(Name) ->
    string(atom_to_binary(Name));
string(Text) ->
    [$", [escape(Character) || <<Character/utf8>> <= Text], $"].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape(Control) when Control < $\s -> io_lib:format("\\u~4.16.0b", [Control]);
escape(Character) -> <<Character/utf8>>.
