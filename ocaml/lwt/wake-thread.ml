(* A plain thread and a task pass a token to each other: the thread by a notification, which wakes the loop, the task by a condition. *)

open Lwt.Syntax

(* A place for one value, at which a plain thread waits. *)
module Place = struct
  type 'a t = { lock : Mutex.t; filled : Condition.t; mutable content : 'a option }

  let create () = { lock = Mutex.create (); filled = Condition.create (); content = None }

  let put place value =
    Mutex.lock place.lock;
    place.content <- Some value;
    Condition.signal place.filled;
    Mutex.unlock place.lock

  let take place =
    Mutex.lock place.lock;
    let rec wait () =
      match place.content with
      | Some value ->
          place.content <- None;
          value
      | None ->
          Condition.wait place.filled place.lock;
          wait ()
    in
    let value = wait () in
    Mutex.unlock place.lock;
    value
end

(* How many tokens one received, and the thread on which it ended. *)
type ended = { received : int; thread : int }

let own_thread () = Thread.id (Thread.self ())

(* Number 0. *)
let in_thread program inbox wake m =
  let record = Program.record_by program (Printf.sprintf "thread-%d" (own_thread ())) in
  let received = ref 0 in
  while !received < m do
    let token = Place.take inbox in
    record "run" 0;
    incr received;
    wake (token + 1)
  done;
  record "done" 0;
  { received = !received; thread = own_thread () }

(* Number 1. *)
let in_task program inbox answer m () =
  let rec go received =
    if received = m then Lwt.return { received; thread = own_thread () }
    else
      let* token = Lwt_mvar.take inbox in
      Program.record program "run" 1;
      answer (token + 1);
      go (received + 1)
  in
  go 0

(* The thread's place, in which the last token lies in the end; how the two end; and what is left to be put away. *)
type game = { inbox : int Place.t; by_thread : ended Place.t; by_task : ended Lwt.t; put_away : unit -> unit }

(* Both are about to wait when it returns. *)
let start program m () =
  let inbox = Place.create () and by_thread = Place.create () and arrived = Place.create () in
  let to_task = Lwt_mvar.create_empty () and token = ref 0 in
  (* One token is under way at a time, so that it can lie beside the notification, which carries none. *)
  let notification = Lwt_unix.make_notification (fun () -> Lwt.async (fun () -> Lwt_mvar.put to_task !token)) in
  let wake value =
    token := value;
    Lwt_unix.send_notification notification
  in
  let body () =
    Place.put arrived ();
    Place.put by_thread (in_thread program inbox wake m)
  in
  Program.record program "spawn" 0;
  let thread = Thread.create (fun () -> try body () with error -> Program.fail error) () in
  Program.record program "spawned" 0;
  let by_task = Program.start_resuming program 1 (in_task program to_task (Place.put inbox) m) in
  Place.take arrived;
  let* () = Lwt.pause () in
  let put_away () =
    Thread.join thread;
    Lwt_unix.stop_notification notification
  in
  Lwt.return { inbox; by_thread; by_task; put_away }

let pass program game =
  Place.put game.inbox (Program.nonce program);
  let* by_task = game.by_task in
  (* It has sent its last token before the task could end. *)
  let by_thread = Place.take game.by_thread in
  game.put_away ();
  let players = [ by_thread; by_task ] in
  let messages = List.fold_left (fun sum { received; _ } -> sum + received) 0 players in
  let threads = List.sort_uniq compare (List.map (fun { thread; _ } -> thread) players) in
  let evidence = [ ("finished", List.length players); ("messages", messages); ("threads", List.length threads) ] in
  Lwt.return (min by_thread.received by_task.received, evidence @ [ ("checksum", Place.take game.inbox) ])

let () =
  Program.run "wake-thread"
    [ ("m", At_least 1) ]
    (fun program -> Program.repeat_prepared program (start program (Program.get program "m")) (pass program))
