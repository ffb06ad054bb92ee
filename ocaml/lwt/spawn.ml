(* Starts n tasks, then collects and sums what they return. *)

open Lwt.Syntax

let spawn program n () =
  let first = Program.nonce program in
  let tasks = List.init n (fun i -> Program.start program (first + i) (fun () -> Lwt.return (first + i))) in
  let created = List.length tasks in
  let rec collect finished checksum = function
    | [] -> Lwt.return (finished, [ ("created", created); ("finished", finished); ("checksum", checksum) ])
    | task :: rest ->
        let* value = task in
        Program.record program "collect" value;
        collect (finished + 1) (checksum + value) rest
  in
  collect 0 0 tasks

let () =
  Program.run "spawn"
    [ ("n", At_least 1) ]
    (fun program -> Program.repeat program (spawn program (Program.get program "n")))
