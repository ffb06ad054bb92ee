(* A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf. *)

open Lwt.Syntax

let children = 10

(* How many tasks were joined in a task, itself included, and the sum of its leaves. *)
let rec node program first leaves () =
  if leaves = 1 then Lwt.return (1, first)
  else
    let share = leaves / children in
    let start i = Program.start_next program (node program (first + (i * share)) share) in
    join 1 0 (List.init children start)

and join tasks sum = function
  | [] -> Lwt.return (tasks, sum)
  | child :: rest ->
      let* below, part = child in
      join (tasks + below) (sum + part) rest

let grow program n () =
  let* tasks, sum = Program.start_next program (node program (Program.nonce program) n) in
  Lwt.return (tasks, [ ("finished", tasks); ("checksum", sum) ])

let rec is_power_of_ten n = n = 1 || (n mod 10 = 0 && is_power_of_ten (n / 10))

let () =
  Program.run "tree"
    [ ("n", At_least 1) ]
    (fun program ->
      let n = Program.get program "n" in
      if not (is_power_of_ten n) then Arguments.usage "n=%d must be a power of ten" n;
      Program.repeat program (grow program n))
