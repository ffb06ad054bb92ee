(* Parks n tasks, each eight calls deep with 1 KiB of its own. *)

open Lwt.Syntax

let depth = 8
let size = 1024
let values = 251

let rec descend i parking level =
  if level < depth then
    let* value = descend i parking (level + 1) in
    Lwt.return value
  else
    let state = Bytes.make size (Char.chr (i mod values)) in
    let* () = Parking.park parking i in
    Parking.leave parking;
    Lwt.return (i - (i mod values) + Char.code (Bytes.get state (size - 1)))

let () = Parking.measure "memory-state" (fun i parking -> descend i parking 1)
