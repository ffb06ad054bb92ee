(* Two tasks pass a token to and fro, m times each, through mailboxes. *)

let () =
  Program.run "hand-off"
    [ ("m", At_least 1) ]
    (fun program ->
      Program.repeat_prepared program (Players.prepare program 2 (Program.get program "m")) (Players.pass program))
