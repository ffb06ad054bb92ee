(* k tasks take one lock m times each, and give way inside. *)

open Lwt.Syntax

(* What the lock guards: those who are inside, the most that ever were, how often one gave way, and a value that each makes one greater.
   They give way between reading it and writing it: two that are inside at once lose an increment. *)
type section = {
  contended : bool;
  mutable inside : int;
  mutable most : int;
  mutable yields : int;
  mutable value : int;
}

let give_way section =
  let* () = Lwt.pause () in
  section.yields <- section.yields + 1;
  Lwt.return_unit

(* The value that was found. *)
let visit section =
  section.inside <- section.inside + 1;
  section.most <- max section.most section.inside;
  let found = section.value in
  let* () = if section.contended then give_way section else Lwt.return_unit in
  section.value <- found + 1;
  section.inside <- section.inside - 1;
  Lwt.return found

type contest = { program : Program.t; nonce : int; lock : Lwt_mutex.t; section : section; mutable asked : int }

(* Its acquisitions, and the most by others between two of them. *)
let take contest i m () =
  let record kind = Program.record contest.program kind i in
  let rec go acquired passed own =
    if acquired = m then Lwt.return (acquired, passed)
    else (
      record "ask";
      if acquired = 0 then contest.asked <- contest.asked + 1;
      let* found =
        Lwt_mutex.with_lock contest.lock (fun () ->
            record "enter";
            let* found = visit contest.section in
            record "leave";
            Lwt.return found)
      in
      go (acquired + 1) (max passed (found - own)) (found + 1))
  in
  go 0 0 contest.nonce

(* All tasks have asked for the lock, which the root holds, when it returns. *)
let form program k m () =
  let nonce = Program.nonce program in
  let section = { contended = k > 1; inside = 0; most = 0; yields = 0; value = nonce } in
  let contest = { program; nonce; lock = Lwt_mutex.create (); section; asked = 0 } in
  let* () = Lwt_mutex.lock contest.lock in
  let tasks = List.init k (fun i -> Program.start program i (take contest i m)) in
  let* () = Program.until (fun () -> contest.asked = k) in
  Lwt.return (contest, tasks)

let contend ({ lock; section; _ }, tasks) =
  Lwt_mutex.unlock lock;
  let* counts = Lwt.all tasks in
  let acquired = List.fold_left (fun sum (acquired, _) -> sum + acquired) 0 counts in
  let passed = List.fold_left (fun most (_, passed) -> max most passed) 0 counts in
  let evidence = [ ("most", section.most); ("yields", section.yields); ("passed", passed); ("checksum", section.value) ] in
  Lwt.return (acquired, ("finished", List.length counts) :: evidence)

let () =
  Program.run "mutex"
    [ ("k", At_least 1); ("m", At_least 1) ]
    (fun program ->
      Program.repeat_prepared program (form program (Program.get program "k") (Program.get program "m")) contend)
