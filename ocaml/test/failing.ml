(* A planted fault: a task that nobody joins fails while the root waits. *)

let () =
  Program.run "planted" [] (fun program ->
      Lwt.async (fun () -> Program.start program 0 (fun () -> failwith "planted"));
      Lwt.pause ())
