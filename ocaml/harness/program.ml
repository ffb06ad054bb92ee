(* One process: its arguments, the lines that it owes the runner, and the loop that times its operation. *)

open Lwt.Syntax

external clock : unit -> int = "corobench_clock" [@@noalloc]
external cpu : unit -> int = "corobench_cpu" [@@noalloc]

let ms = 1_000_000
let most_iterations = 10_000

type t = {
  values : (string * Arguments.value) list;
  traced : bool;
  mutable events : string list; (* the latest first *)
  mutable lines : string list; (* the latest first *)
  mutable finished : int; (* iterations that are over *)
  mutable number : int; (* of the last task that was numbered as it came *)
  mutable start_ns : int;
  mutable start_cpu : int;
}

(* What is written is JSON already; text has no character that must be escaped. *)
let text value = "\"" ^ value ^ "\""
let fields pairs = "{" ^ String.concat "," (List.map (fun (name, value) -> text name ^ ":" ^ value) pairs) ^ "}"
let line kind pairs = fields (("type", text kind) :: pairs)
let numbers pairs = fields (List.map (fun (name, value) -> (name, string_of_int value)) pairs)

let get program key =
  match List.assoc key program.values with Arguments.Integer value -> value | Word _ -> invalid_arg key

let word program key =
  match List.assoc key program.values with Arguments.Word value -> value | Integer _ -> invalid_arg key

(* The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one. *)
let nonce program = get program "nonce" + program.finished

let hello workload values rules =
  let param (key, _) =
    (key, match List.assoc key values with Arguments.Integer value -> string_of_int value | Word value -> text value)
  in
  let runtime =
    match Sys.getenv_opt "COROBENCH_RUNTIME" with
    | Some name -> name
    | None -> Arguments.usage "COROBENCH_RUNTIME is not set"
  in
  let engine = if Lwt_config._HAVE_LIBEV && Lwt_config.libev_default then "libev" else "select" in
  line "hello"
    [
      ("protocol", "1");
      ("runtime", text runtime);
      ("version", text Sys.ocaml_version);
      ("language_version", text Sys.ocaml_version);
      ("workload", text workload);
      ("params", fields (List.map param rules));
      ("settings", fields [ ("gc", "true"); ("engine", text engine); ("native", string_of_bool (Sys.backend_type = Sys.Native)) ]);
    ]

(* A promise has no identity: in a trace it is what Lwt keeps for all that one task waits for. *)
let unit_key : string Lwt.key = Lwt.new_key ()

(* Records who runs when, where a trace was asked for; a plain thread, which is no task, says who it is. *)
let recording = Mutex.create ()

let record_by program who kind i =
  if program.traced then (
    Mutex.lock recording;
    program.events <- Printf.sprintf "[%S,%d,%S]" kind i who :: program.events;
    Mutex.unlock recording)

let record program kind i =
  if program.traced then record_by program (Option.value (Lwt.get unit_key) ~default:"main") kind i

let units = ref 0

(* Starts task i, which records by itself when it runs. A body would run at once, on its starter's stack, up to where it waits: each
   begins by giving way. *)
let start_resuming program i body =
  if not program.traced then Lwt.bind (Lwt.pause ()) body
  else (
    incr units;
    record program "spawn" i;
    let whole () =
      let* () = Lwt.pause () in
      let* value = body () in
      record program "done" i;
      Lwt.return value
    in
    let task = Lwt.with_value unit_key (Some (Printf.sprintf "task-%d" !units)) whole in
    record program "spawned" i;
    task)

(* The same for a task whose run is recorded here. *)
let start program i body =
  if not program.traced then Lwt.bind (Lwt.pause ()) body
  else
    start_resuming program i (fun () ->
        record program "run" i;
        body ())

(* The same for a task that others than the root start: its number is the next. *)
let start_next program body =
  program.number <- program.number + 1;
  start program program.number body

(* Gives way until that holds. *)
let rec until holds =
  if holds () then Lwt.return_unit
  else
    let* () = Lwt.pause () in
    until holds

(* The time that an iteration took, in nanoseconds. The operation returns its operations and its evidence. *)
let lap program operation =
  program.start_cpu <- cpu ();
  program.start_ns <- clock ();
  let* ops, evidence = operation () in
  let elapsed = clock () - program.start_ns in
  let cpu = cpu () - program.start_cpu in
  let iteration =
    [
      ("index", string_of_int program.finished);
      ("elapsed_ns", string_of_int elapsed);
      ("cpu_ns", string_of_int cpu);
      ("ops", string_of_int ops);
      ("evidence", numbers evidence);
    ]
  in
  program.lines <- line "iteration" iteration :: program.lines;
  program.finished <- program.finished + 1;
  Lwt.return elapsed

(* Times the operation until that is enough; what `prepare` returns before each time is handed to it, untimed. *)
let repeat_prepared program prepare operation =
  let rec go warm =
    let* prepared = prepare () in
    let* elapsed = lap program (fun () -> operation prepared) in
    let warm = if program.finished > 1 then warm + elapsed else warm in
    let enough = program.finished >= get program "iterations" && warm >= get program "min_warm_ms" * ms in
    if program.traced || enough || program.finished >= most_iterations then Lwt.return_unit else go warm
  in
  go 0

let repeat program operation = repeat_prepared program Lwt.return operation

(* Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration that
   is under way. *)
let hold program point units =
  let start_cpu = cpu () and start_ns = clock () in
  record program "hold" (-1);
  print_endline (line "hold" [ ("point", text point); ("units", string_of_int units) ]);
  (try ignore (input_line stdin)
   with End_of_file -> failwith (Printf.sprintf "stdin ended at the hold %s: the runner is gone" point));
  program.start_ns <- program.start_ns + clock () - start_ns;
  program.start_cpu <- program.start_cpu + cpu () - start_cpu

(* As it is, and after a forced collection. *)
let hold_twice program point units =
  hold program point units;
  Gc.compact ();
  hold program (point ^ "-collected") units

(* Raw samples in nanoseconds, in the order in which they happened. *)
let series program name samples =
  let values = "[" ^ String.concat "," (List.map string_of_int samples) ^ "]" in
  program.lines <- line "series" [ ("name", text name); ("values", values) ] :: program.lines

let whole workload rules flags main =
  let flags = "trace" :: flags in
  let values = Arguments.parse (List.tl (Array.to_list Sys.argv)) rules flags in
  let traced = List.assoc "trace" values = Arguments.Integer 1 in
  let program = { values; traced; events = []; lines = []; finished = 0; number = -1; start_ns = 0; start_cpu = 0 } in
  print_endline (hello workload values rules);
  Lwt_main.run (main program);
  List.iter print_endline (List.rev program.lines);
  if traced then print_endline (line "trace" [ ("events", "[" ^ String.concat "," (List.rev program.events) ^ "]") ]);
  print_endline (line "end" [])

let fail error =
  prerr_endline (Printexc.to_string error);
  exit 1

(* Runs a workload to its last line; what goes wrong ends the process, with 2 for a wrong command line. *)
let run ?(flags = []) workload rules main =
  (* Of a task that nobody joins. *)
  Lwt.async_exception_hook := fail;
  try whole workload rules flags main with
  | Arguments.Usage text ->
      prerr_endline ("usage: " ^ text);
      exit 2
  | error -> fail error
