(* n tasks sleep once, each until a deadline of its own within one second. *)

open Lwt.Syntax

let spread = 1_000_000_000

(* Its number, and how many nanoseconds late it woke. *)
let sleeper i deadline () =
  let* () = Lwt_unix.sleep (float (max 0 (deadline - Program.clock ())) /. 1e9) in
  Lwt.return (i, Program.clock () - deadline)

let sleep_all program n samples () =
  let start = Program.clock () + (Program.get program "lead" * Program.ms) in
  let tasks = List.init n (fun i -> Program.start program i (sleeper i (start + (i * spread / n)))) in
  let created = List.length tasks in
  let rec join finished checksum early lateness = function
    | [] ->
        samples := List.rev lateness;
        Lwt.return (finished, [ ("created", created); ("finished", finished); ("checksum", checksum); ("early", early) ])
    | task :: rest ->
        let* number, late = task in
        join (finished + 1) (checksum + number) (if late < -Program.ms then early + 1 else early) (max 0 late :: lateness) rest
  in
  join 0 0 0 [] tasks

let () =
  Program.run "timers"
    [ ("n", At_least 1); ("lead", At_least 0) ]
    (fun program ->
      let samples = ref [] in
      let* _elapsed = Program.lap program (sleep_all program (Program.get program "n") samples) in
      Program.series program "lateness" !samples;
      Lwt.return_unit)
