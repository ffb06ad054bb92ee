(* Parks n tasks that hold nothing but their number. *)

open Lwt.Syntax

let () =
  Parking.measure "memory" (fun i parking ->
      let* () = Parking.park parking i in
      Parking.leave parking;
      Lwt.return i)
