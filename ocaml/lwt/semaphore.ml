(* k tasks take one of s permits m times each, and give way while they have it. Lwt has no semaphore; what limits how many go on at once is
   a pool, of which each uses a member. *)

open Lwt.Syntax

type contest = {
  program : Program.t;
  nonce : int;
  contended : bool;
  permits : unit Lwt_pool.t;
  mutable asked : int;
  mutable inside : int;
  mutable most : int;
  mutable entered : int;
  mutable yields : int;
}

let give_way contest =
  let* () = Lwt.pause () in
  contest.yields <- contest.yields + 1;
  Lwt.return_unit

(* How many permits had been taken, its own included. *)
let visit contest =
  contest.inside <- contest.inside + 1;
  contest.most <- max contest.most contest.inside;
  contest.entered <- contest.entered + 1;
  let number = contest.entered in
  let* () = if contest.contended then give_way contest else Lwt.return_unit in
  contest.inside <- contest.inside - 1;
  Lwt.return number

(* Its permits, counted from the nonce on, and the most of others between two of its own. *)
let take contest i m () =
  let record kind = Program.record contest.program kind i in
  let rec go taken passed own =
    if taken = contest.nonce + m then Lwt.return (taken, passed)
    else (
      record "ask";
      if taken = contest.nonce then contest.asked <- contest.asked + 1;
      let* number =
        Lwt_pool.use contest.permits (fun () ->
            record "enter";
            let* number = visit contest in
            record "leave";
            Lwt.return number)
      in
      go (taken + 1) (max passed (number - own - 1)) number)
  in
  go contest.nonce 0 0

(* All tasks have asked for a permit, of which the root holds all until it is woken, when it returns. *)
let form program k s m () =
  let permits = Lwt_pool.create s Lwt.return in
  let nonce = Program.nonce program in
  let contest =
    { program; nonce; contended = k > s; permits; asked = 0; inside = 0; most = 0; entered = 0; yields = 0 }
  in
  let given_back, give_back = Lwt.wait () in
  let held = List.init s (fun _ -> Lwt_pool.use permits (fun () -> given_back)) in
  let tasks = List.init k (fun i -> Program.start program i (take contest i m)) in
  let* () = Program.until (fun () -> contest.asked = k) in
  Lwt.return (contest, tasks, held, give_back)

let share (contest, tasks, held, give_back) =
  Lwt.wakeup_later give_back ();
  let* () = Lwt.join held in
  let* counts = Lwt.all tasks in
  let finished = List.length counts in
  let checksum = List.fold_left (fun sum (taken, _) -> sum + taken) 0 counts in
  let passed = List.fold_left (fun most (_, passed) -> max most passed) 0 counts in
  let { most; yields; nonce; _ } = contest in
  let evidence = [ ("most", most); ("yields", yields); ("passed", passed); ("checksum", checksum) ] in
  Lwt.return (checksum - (finished * nonce), ("finished", finished) :: evidence)

let () =
  Program.run "semaphore"
    [ ("k", At_least 1); ("s", At_least 1); ("m", At_least 1) ]
    (fun program ->
      let get = Program.get program in
      Program.repeat_prepared program (form program (get "k") (get "s") (get "m")) share)
