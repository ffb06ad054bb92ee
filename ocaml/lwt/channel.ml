(* p producers send m messages each to c consumers, which share one bounded stream. *)

open Lwt.Syntax

(* The stream takes one waiting producer; a second one would get an exception. Where there are several, they push under a lock. *)
let pusher (queue : int Lwt_stream.bounded_push) producers =
  if producers = 1 then queue#push
  else
    let lock = Lwt_mutex.create () in
    fun message -> Lwt_mutex.with_lock lock (fun () -> queue#push message)

(* Sends m messages, the first of this number; how many it sent. *)
let produce program i push first m () =
  let rec go sent =
    if sent = m then Lwt.return sent
    else
      let* () = push (first + sent) in
      Program.record program "run" i;
      go (sent + 1)
  in
  go 0

(* How many messages came until the stream was closed, and their sum. *)
let consume program i stream () =
  let rec go received sum =
    let* next = Lwt_stream.get stream in
    match next with
    | None -> Lwt.return (received, sum)
    | Some message ->
        Program.record program "run" i;
        go (received + 1) (sum + message)
  in
  go 0 0

let sum = List.fold_left ( + ) 0

let pass program () =
  let get = Program.get program in
  let p = get "p" and c = get "c" and m = get "m" and first = Program.nonce program in
  let stream, queue = Lwt_stream.create_bounded (get "b") in
  let push = pusher queue p in
  let producers = List.init p (fun i -> Program.start program i (produce program i push (first + (i * m)) m)) in
  let consumers = List.init c (fun j -> Program.start program (p + j) (consume program (p + j) stream)) in
  let* sent = Lwt.all producers in
  queue#close;
  let* received = Lwt.all consumers in
  let counts, sums = List.split received in
  let finished = List.length (List.filter (( = ) m) sent) + List.length received in
  let messages = sum counts in
  let most = List.fold_left max 0 counts in
  Lwt.return
    (messages, [ ("finished", finished); ("messages", messages); ("most", most); ("checksum", sum sums) ])

let () =
  Program.run "channel"
    [ ("p", At_least 1); ("c", At_least 1); ("b", At_least 1); ("m", At_least 1) ]
    (fun program -> Program.repeat program (pass program))
