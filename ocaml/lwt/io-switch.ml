(* Two tasks pass a byte to and fro over a pair of Unix stream sockets. *)

open Lwt.Syntax

let put socket byte =
  let* written = Lwt_unix.write socket byte 0 1 in
  if written = 1 then Lwt.return_unit else failwith "a byte was not written"

let take socket byte =
  let* read = Lwt_unix.read socket byte 0 1 in
  if read = 1 then Lwt.return 1 else failwith "the other side is gone"

let rec ask socket byte received m =
  if received = m then Lwt.return received
  else
    let* () = put socket byte in
    let* bytes = take socket byte in
    ask socket byte (received + bytes) m

let rec answer socket byte received m =
  if received = m then Lwt.return received
  else
    let* bytes = take socket byte in
    let* () = put socket byte in
    answer socket byte (received + bytes) m

let alternate program (one, other) m () =
  let tasks =
    [
      Program.start program 0 (fun () -> ask one (Bytes.make 1 'x') 0 m);
      Program.start program 1 (fun () -> answer other (Bytes.create 1) 0 m);
    ]
  in
  let* finished, messages = Parking.sum_up 0 0 tasks in
  Lwt.return (messages / 2, [ ("finished", finished); ("messages", messages) ])

let () =
  Program.run "io-switch"
    [ ("m", At_least 1) ]
    (fun program ->
      let pair = Lwt_unix.socketpair Unix.PF_UNIX Unix.SOCK_STREAM 0 in
      Program.repeat program (alternate program pair (Program.get program "m")))
