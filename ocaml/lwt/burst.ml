(* A root that has slept starts n tasks at once, and again; each tells when it first ran. *)

open Lwt.Syntax

(* What came of all bursts so far; `starts` has the latest first. *)
type bursts = {
  program : Program.t;
  mutable number : int; (* of the next task *)
  mutable created : int;
  mutable finished : int;
  mutable checksum : int;
  mutable last_ns : int;
  mutable starts : int list;
}

(* Its number, and how long it took until it ran. *)
let task i began () =
  let start = Program.clock () - began in
  Lwt.return (i, start)

let rec collect bursts last = function
  | [] -> Lwt.return last
  | task :: rest ->
      let* value, start = task in
      Program.record bursts.program "collect" value;
      bursts.finished <- bursts.finished + 1;
      bursts.checksum <- bursts.checksum + value;
      bursts.starts <- start :: bursts.starts;
      collect bursts (max last start) rest

let burst bursts n =
  let first = bursts.number in
  bursts.number <- first + n;
  let began = Program.clock () in
  let tasks = List.init n (fun i -> Program.start bursts.program (first + i) (task (first + i) began)) in
  bursts.created <- bursts.created + List.length tasks;
  let* last = collect bursts 0 tasks in
  bursts.last_ns <- bursts.last_ns + last;
  Lwt.return_unit

let rec run bursts left =
  if left = 0 then Lwt.return_unit
  else
    let* () = Lwt_unix.sleep (float (Program.get bursts.program "idle_ms") /. 1e3) in
    let* () = burst bursts (Program.get bursts.program "n") in
    run bursts (left - 1)

let evidence { created; finished; checksum; last_ns; _ } =
  (finished, [ ("created", created); ("finished", finished); ("checksum", checksum); ("last_ns", last_ns) ])

let () =
  Program.run "burst"
    [ ("n", At_least 1); ("bursts", At_least 1); ("idle_ms", At_least 0) ]
    (fun program ->
      let bursts =
        { program; number = Program.nonce program; created = 0; finished = 0; checksum = 0; last_ns = 0; starts = [] }
      in
      let operation () =
        let* () = run bursts (Program.get program "bursts") in
        Lwt.return (evidence bursts)
      in
      let* _elapsed = Program.lap program operation in
      Program.series program "start" (List.rev bursts.starts);
      Lwt.return_unit)
