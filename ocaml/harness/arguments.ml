(* Reads key=value words against rules, and names precisely what is wrong with them. *)

(* A wrong command line. *)
exception Usage of string

type value = Integer of int | Word of string
type rule = At_least of int | One_of of string list

let usage format = Printf.ksprintf (fun text -> raise (Usage text)) format

(* The least value and the default of the keys that every workload understands. *)
let shared = [ ("iterations", (1, 1)); ("min_warm_ms", (0, 0)); ("trace", (0, 0)); ("nonce", (0, 0)) ]
let is_digit c = c >= '0' && c <= '9'

let integer key text least ~flag =
  let digits = text <> "" && String.length text <= 18 && String.for_all is_digit text in
  match if digits then int_of_string_opt ("0u" ^ text) else None with
  | Some value when value >= least && not (flag && value > 1) -> Integer value
  | Some value when value >= least -> usage "%s=%s must be 0 or 1" key text
  | _ -> usage "%s=%s must be an integer of at least %d" key text least

let word key text known =
  if List.mem text known then Word text else usage "%s=%s must be one of %s" key text (String.concat ", " known)

(* The value of a word's key; a rule for it, a key of the harness, or a flag, which may be left out. *)
let valued rules flags key text =
  match (List.assoc_opt key rules, List.assoc_opt key shared) with
  | Some (One_of known), _ -> word key text known
  | Some (At_least least), _ | None, Some (least, _) -> integer key text least ~flag:(key = "trace")
  | None, None -> if List.mem key flags then integer key text 0 ~flag:true else usage "unknown key %s" key

(* The values of all keys. *)
let parse words rules flags =
  let add values given =
    match String.index_opt given '=' with
    | None -> usage "%S is not key=value" given
    | Some at ->
        let key = String.sub given 0 at in
        if List.mem_assoc key values then usage "%s is given twice" key;
        (key, valued rules flags key (String.sub given (at + 1) (String.length given - at - 1))) :: values
  in
  let values = List.fold_left add [] words in
  List.iter (fun (key, _) -> if not (List.mem_assoc key values) then usage "%s is missing" key) rules;
  let defaults = List.map (fun (key, (_, default)) -> (key, Integer default)) shared in
  values @ defaults @ List.map (fun flag -> (flag, Integer 0)) flags
