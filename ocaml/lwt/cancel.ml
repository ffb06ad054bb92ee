(* n parked tasks are cancelled, and joined. *)

open Lwt.Syntax

let () =
  Program.run "cancel"
    [ ("n", At_least 1) ]
    (fun program ->
      Program.hold program "base" 0;
      let* () = Program.repeat_prepared program (fun () -> Crowd.gather program (Program.get program "n")) Crowd.cancel in
      Program.hold program "released" 0;
      Lwt.return_unit)
