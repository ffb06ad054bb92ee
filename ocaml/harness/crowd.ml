(* n parked tasks are cancelled, clean up behind finalize, and are joined. *)

open Lwt.Syntax

type t = { program : Program.t; gate : unit Lwt_condition.t; mutable cleaned : int; mutable tasks : unit Lwt.t list }

let park crowd i () =
  Lwt.finalize
    (fun () ->
      Program.record crowd.program "park" i;
      Lwt_condition.wait crowd.gate)
    (fun () ->
      crowd.cleaned <- crowd.cleaned + 1;
      Program.record crowd.program "done" i;
      Lwt.return_unit)

(* All of them, numbered from `first` on, wait when it returns: after one turn of the loop they do, and in another one those that only
   gave way go on. *)
let gather ?(first = 0) program n =
  let crowd = { program; gate = Lwt_condition.create (); cleaned = 0; tasks = [] } in
  crowd.tasks <- List.init n (fun i -> Program.start program (first + i) (park crowd (first + i)));
  let* () = Lwt.pause () in
  let* () = Lwt.pause () in
  Lwt.return crowd

let was_cancelled task =
  Lwt.catch
    (fun () -> Lwt.map (fun () -> false) task)
    (function Lwt.Canceled -> Lwt.return_true | error -> Lwt.fail error)

let rec join crowd finished = function
  | [] -> Lwt.return finished
  | task :: rest ->
      let* was_cancelled = was_cancelled task in
      if not was_cancelled then failwith "a task ran past its wait";
      Program.record crowd.program "collect" finished;
      join crowd (finished + 1) rest

let cancel crowd =
  let waited = List.length crowd.tasks - crowd.cleaned in
  List.iter Lwt.cancel crowd.tasks;
  let* finished = join crowd 0 crowd.tasks in
  Lwt.return (finished, [ ("created", waited); ("cancelled", crowd.cleaned); ("finished", finished) ])
