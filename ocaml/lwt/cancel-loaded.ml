(* n parked tasks are cancelled, and joined, while k others yield. *)

open Lwt.Syntax

let cancel ((load : Load.t), crowd) =
  let* finished, evidence = Crowd.cancel crowd in
  Lwt.return (finished, evidence @ [ ("active", load.active) ])

let stop load =
  let* (_ : int list) = Load.stop load in
  Lwt.return_unit

let () =
  Program.run "cancel-loaded"
    [ ("n", At_least 1); ("k", At_least 1) ]
    (fun program ->
      (* The load outlives its iteration, which ends with the last join. *)
      let running = ref None in
      let stop_running () = Option.fold ~none:Lwt.return_unit ~some:stop !running in
      let prepare () =
        let* () = stop_running () in
        let k = Program.get program "k" in
        let* load = Load.start program k in
        running := Some load;
        let* crowd = Crowd.gather ~first:k program (Program.get program "n") in
        Lwt.return (load, crowd)
      in
      let* () = Program.repeat_prepared program prepare cancel in
      stop_running ())
