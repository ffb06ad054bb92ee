(* A task waits on k mailboxes at once, another sends through them in an order that the first does not know. *)

open Lwt.Syntax

(* The message of a mailbox, with the number of it. *)
let take boxes channel =
  let* message = Lwt_mvar.take boxes.(channel) in
  Lwt.return (channel, message)

(* Task 0, which answers after every w messages: how many came through each mailbox, and their sum. Who takes from a mailbox in vain goes on
   to wait there until its message comes. *)
let receive program boxes answers w messages () =
  let counts = Array.map (fun _ -> 0) boxes in
  let received = ref 0 and sum = ref 0 in
  let accept (channel, message) =
    Program.record program "run" 0;
    counts.(channel) <- counts.(channel) + 1;
    sum := !sum + message;
    incr received;
    if !received mod w = 0 then Lwt_mvar.put answers !received else Lwt.return_unit
  in
  let rec go waiting =
    if !received = messages then (
      List.iter Lwt.cancel waiting;
      Lwt.return (counts, !sum))
    else
      let* ready, waiting = Lwt.nchoose_split waiting in
      let* () = Lwt_list.iter_s accept ready in
      go (List.fold_left (fun waiting (channel, _) -> take boxes channel :: waiting) waiting ready)
  in
  go (List.init (Array.length boxes) (take boxes))

(* Task 1. The nonce draws the order: each mailbox once a round, as k is a power of two. Returns how many it sent. *)
let send program boxes answers w messages nonce () =
  let k = Array.length boxes in
  let rec go sent =
    if sent = messages then Lwt.return sent
    else
      let number = nonce + (sent / k) and turn = sent mod k in
      let* () = Lwt_mvar.put boxes.((number + (turn * ((2 * number) + 1))) mod k) (nonce + sent) in
      if (sent + 1) mod w > 0 then go (sent + 1)
      else
        let* (_ : int) = Lwt_mvar.take answers in
        Program.record program "run" 1;
        go (sent + 1)
  in
  go 0

let select program () =
  let get = Program.get program in
  let k = get "k" and w = get "w" in
  let messages = k * get "m" in
  let boxes = Array.init k (fun _ -> Lwt_mvar.create_empty ()) and answers = Lwt_mvar.create_empty () in
  let receiver = Program.start_resuming program 0 (receive program boxes answers w messages) in
  let sender = Program.start_resuming program 1 (send program boxes answers w messages (Program.nonce program)) in
  let* counts, checksum = receiver in
  let* sent = sender in
  let received = Array.fold_left ( + ) 0 counts in
  let finished = List.length (List.filter (( = ) messages) [ received; sent ]) in
  let least = Array.fold_left min max_int counts and most = Array.fold_left max 0 counts in
  Lwt.return
    ( received,
      [ ("finished", finished); ("messages", received); ("least", least); ("most", most); ("checksum", checksum) ] )

let () =
  Program.run "select"
    [ ("k", At_least 1); ("w", At_least 1); ("m", At_least 1) ]
    (fun program -> Program.repeat program (select program))
