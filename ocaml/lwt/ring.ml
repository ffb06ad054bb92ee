(* k tasks, each waiting at a mailbox, pass a token round. *)

let () =
  Program.run "ring"
    [ ("k", At_least 1); ("rounds", At_least 1) ]
    (fun program ->
      let prepare = Players.prepare program (Program.get program "k") (Program.get program "rounds") in
      Program.repeat_prepared program prepare (Players.pass program))
