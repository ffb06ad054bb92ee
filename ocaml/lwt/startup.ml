(* The smallest process, or one task. *)

open Lwt.Syntax

let first_task () =
  let* () = Lwt.pause () in
  Lwt.return 1

let report () =
  Program.run "startup" ~flags:[ "report" ]
    [ ("mode", One_of [ "bare"; "first-task" ]) ]
    (fun program ->
      let operation () =
        let* finished = if Program.word program "mode" = "bare" then Lwt.return 0 else first_task () in
        Lwt.return (1, [ ("finished", finished) ])
      in
      let* _elapsed = Program.lap program operation in
      Lwt.return_unit)

let () =
  match Sys.argv with
  | [| _; "mode=bare" |] -> ()
  | [| _; "mode=first-task" |] -> exit (if Lwt_main.run (first_task ()) = 1 then 0 else 1)
  | _ -> report ()
