(* A producer sends m messages to one consumer through one bounded stream. *)

open Lwt.Syntax

let room = 128

(* A stream takes one waiting producer; a second one would get an exception. *)
let rec produce (queue : int Lwt_stream.bounded_push) value m =
  if m = 0 then Lwt.return_unit
  else
    let* () = queue#push value in
    produce queue value (m - 1)

(* How many messages came, and their sum. *)
let consume stream messages =
  let rec go received sum =
    if received = messages then Lwt.return (received, sum)
    else
      let* value = Lwt_stream.next stream in
      go (received + 1) (sum + value)
  in
  go 0 0

let gather program p m () =
  let stream, queue = Lwt_stream.create_bounded room in
  let first = Program.nonce program + 1 in
  let producers = List.init p (fun i -> Program.start program i (fun () -> produce queue (first + i) m)) in
  let consumer = Program.start program p (fun () -> consume stream (p * m)) in
  let rec join finished = function
    | [] -> Lwt.return finished
    | task :: rest ->
        let* () = task in
        join (finished + 1) rest
  in
  let* finished = join 0 producers in
  let* messages, checksum = consumer in
  Lwt.return (messages, [ ("finished", finished + 1); ("messages", messages); ("checksum", checksum) ])

let () =
  Program.run "fan-in"
    [ ("p", At_least 1); ("m", At_least 1) ]
    (fun program -> Program.repeat program (gather program (Program.get program "p") (Program.get program "m")))
