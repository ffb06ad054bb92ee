(* Each task starts the next as its last act; the root waits for the last one only. *)

open Lwt.Syntax

let chain program n () =
  let finished = ref 0 and checksum = ref 0 in
  let ended, wake = Lwt.wait () in
  let first = Program.nonce program in
  let rec link i () =
    checksum := !checksum + i;
    incr finished;
    if i = first + n - 1 then Lwt.wakeup_later wake () else start (i + 1);
    Lwt.return_unit
  and start i = Lwt.async (fun () -> Program.start program i (link i)) in
  start first;
  let* () = ended in
  Lwt.return (!finished, [ ("finished", !finished); ("checksum", !checksum) ])

let () =
  Program.run "spawn-chain"
    [ ("n", At_least 1) ]
    (fun program -> Program.repeat program (chain program (Program.get program "n")))
