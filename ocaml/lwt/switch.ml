(* Lets k tasks yield m times each, by Lwt.pause. *)

open Lwt.Syntax

(* How often it was resumed, counted from the nonce on. Without trace=1 or count=1, which are never timed, nothing watches it. *)
let rec task i count stop watch =
  if count = stop then Lwt.return count
  else
    let* () = Lwt.pause () in
    Option.iter (fun resumed -> resumed i) watch;
    task i (count + 1) stop watch

let switch program k m () =
  let first = Program.nonce program and counted = Program.get program "count" = 1 in
  let last = ref (-1) and switches = ref 0 in
  let resumed i =
    Program.record program "run" i;
    if !last <> i then incr switches;
    last := i
  in
  let watch = if counted || Program.get program "trace" = 1 then Some resumed else None in
  let tasks = List.init k (fun i -> Program.start_resuming program i (fun () -> task i first (first + m) watch)) in
  let* finished, checksum = Parking.sum_up 0 0 tasks in
  let resumes = checksum - (k * first) in
  let evidence = [ ("finished", finished); ("resumes", resumes); ("checksum", checksum) ] in
  Lwt.return (resumes, if counted then ("true_switches", !switches) :: evidence else evidence)

let () =
  Program.run "switch" ~flags:[ "count" ]
    [ ("k", At_least 1); ("m", At_least 1) ]
    (fun program -> Program.repeat program (switch program (Program.get program "k") (Program.get program "m")))
