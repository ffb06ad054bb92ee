(* Calls a plain function n times and sums what it returns: the language without tasks. *)

let[@inline never] body i = i

let call first n =
  let finished = ref 0 and checksum = ref 0 in
  for i = first to first + n - 1 do
    checksum := !checksum + body i;
    incr finished
  done;
  (!finished, [ ("finished", !finished); ("checksum", !checksum) ])

let () =
  Program.run "baseline"
    [ ("n", At_least 1) ]
    (fun program ->
      Program.repeat program (fun () -> Lwt.return (call (Program.nonce program) (Program.get program "n"))))
