(* Parks n tasks that hold nothing but their number. *)

open Lwt.Syntax

let () =
  Parking.measure "memory" (fun i parking ->
      let* () = Parking.wait parking i in
      Lwt.return i)
