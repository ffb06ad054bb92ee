(* The tasks of hand-off and ring. *)

open Lwt.Syntax

(* Takes the token, adds one and passes it on; returns how often it had it. *)
let play program i inbox outbox rounds =
  let rec go received =
    if received = rounds then Lwt.return received
    else
      let* token = Lwt_mvar.take inbox in
      Program.record program "run" i;
      let* () = Lwt_mvar.put outbox (token + 1) in
      go (received + 1)
  in
  go 0

(* Starts k players in a ring, with a mailbox each, at which all of them wait when this returns. *)
let prepare program k rounds () =
  let boxes = Array.init k (fun _ -> Lwt_mvar.create_empty ()) in
  let player i = Program.start_resuming program i (fun () -> play program i boxes.(i) boxes.((i + 1) mod k) rounds) in
  let tasks = List.init k player in
  let* () = Lwt.pause () in
  Lwt.return (boxes.(0), tasks)

(* Gives the first player the token, joins them all, and takes the token that the last one sent. *)
let pass program (box, tasks) =
  let* () = Lwt_mvar.put box (Program.nonce program) in
  let* finished, messages = Parking.sum_up 0 0 tasks in
  let* token = Lwt_mvar.take box in
  Lwt.return (messages, [ ("finished", finished); ("messages", messages); ("checksum", token) ])
