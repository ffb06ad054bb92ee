(* Parks n tasks at one gate and holds the process still before, while and after they live. *)

open Lwt.Syntax

type t = { program : Program.t; mutable parked : int; gate : unit Lwt.t; opened : unit Lwt.u }

(* Parks task i: what it waits for. To wait for it here would cost each task a second promise. *)
let park parking i =
  Program.record parking.program "park" i;
  parking.parked <- parking.parked + 1;
  parking.gate

(* A task goes on. *)
let leave parking = parking.parked <- parking.parked - 1

let rec sum_up finished checksum = function
  | [] -> Lwt.return (finished, checksum)
  | task :: rest ->
      let* value = task in
      sum_up (finished + 1) (checksum + value) rest

(* The tasks are gone, handles and all, when it returns what they added up to. *)
let live parking body =
  let first = Program.nonce parking.program in
  let start i = Program.start parking.program (first + i) (fun () -> body (first + i) parking) in
  let tasks = List.init (Program.get parking.program "n") start in
  let created = List.length tasks in
  let* () = Lwt.pause () in
  Program.hold_twice parking.program "live" parking.parked;
  Lwt.wakeup_later parking.opened ();
  let* finished, checksum = sum_up 0 0 tasks in
  Lwt.return (finished, [ ("created", created); ("finished", finished); ("checksum", checksum) ])

(* The whole program of a memory workload: `body` gets its number and the gate, waits there once, and returns the number. *)
let measure workload body =
  Program.run workload
    [ ("n", Arguments.At_least 1) ]
    (fun program ->
      let operation () =
        Program.hold program "base" 0;
        let gate, opened = Lwt.wait () in
        let parking = { program; parked = 0; gate; opened } in
        let* outcome = live parking body in
        Program.hold_twice program "released" parking.parked;
        Lwt.return outcome
      in
      let* _elapsed = Program.lap program operation in
      Lwt.return_unit)
