(* Tasks that do nothing but yield until they are told to end. *)

open Lwt.Syntax

(* `active`: those that have yielded and not ended. *)
type t = { mutable ended : bool; mutable active : int; mutable tasks : int Lwt.t list }

(* How often it yielded. *)
let keep_yielding load () =
  let rec go count =
    if load.ended then (
      load.active <- load.active - 1;
      Lwt.return count)
    else
      let* () = Lwt.pause () in
      go (count + 1)
  in
  let* () = Lwt.pause () in
  load.active <- load.active + 1;
  go 1

(* Tasks 0 .. k - 1, all of which have yielded when it returns. *)
let start program k =
  let load = { ended = false; active = 0; tasks = [] } in
  load.tasks <- List.init k (fun i -> Program.start program i (keep_yielding load));
  let* () = Program.until (fun () -> load.active = k) in
  Lwt.return load

(* The yields of each, when all have ended. *)
let stop load =
  load.ended <- true;
  Lwt.all load.tasks
