(* k tasks sleep m times each for no time at all. *)

open Lwt.Syntax

(* How often it woke, counted from the nonce on. *)
let rec task program i count stop =
  if count = stop then Lwt.return count
  else
    let* () = Lwt_unix.sleep 0. in
    Program.record program "run" i;
    task program i (count + 1) stop

let sleep_all program k m () =
  let first = Program.nonce program in
  let tasks = List.init k (fun i -> Program.start_resuming program i (fun () -> task program i first (first + m))) in
  let* finished, checksum = Parking.sum_up 0 0 tasks in
  Lwt.return (checksum - (finished * first), [ ("finished", finished); ("checksum", checksum) ])

let () =
  Program.run "sleep-zero"
    [ ("k", At_least 1); ("m", At_least 1) ]
    (fun program -> Program.repeat program (sleep_all program (Program.get program "k") (Program.get program "m")))
