(* A task wakes on an absolute schedule while k others yield. *)

open Lwt.Syntax

(* How late each tick was taken. One that is overdue is taken at once. *)
let tick ticks period () =
  let rec go before left late =
    if left = 0 then Lwt.return (List.rev late)
    else
      let due = before + period in
      let wait = due - Program.clock () in
      let* () = if wait > 0 then Lwt_unix.sleep (float wait /. 1e9) else Lwt.return_unit in
      go due (left - 1) (max 0 (Program.clock () - due) :: late)
  in
  go (Program.clock ()) ticks []

let sum = List.fold_left ( + ) 0

let loaded program samples () =
  let k = Program.get program "k" in
  let* load = Load.start program k in
  let* lateness = Program.start program k (tick (Program.get program "ticks") (Program.get program "period_us" * 1_000)) in
  let* counts = Load.stop load in
  samples := lateness;
  let active = List.length (List.filter (fun count -> count > 0) counts) in
  Lwt.return
    (List.length lateness, [ ("finished", List.length counts + 1); ("active", active); ("yields", sum counts) ])

let () =
  Program.run "ticker"
    [ ("k", At_least 1); ("ticks", At_least 1); ("period_us", At_least 1) ]
    (fun program ->
      let samples = ref [] in
      let* _elapsed = Program.lap program (loaded program samples) in
      Program.series program "lateness" !samples;
      Lwt.return_unit)
