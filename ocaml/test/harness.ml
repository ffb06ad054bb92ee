(* The harness, and the programs as processes, which lie in the folder that is named: each test raises where something is not as it should
   be; all are run. *)

let programs = Sys.argv.(1)

let same expected actual =
  if expected <> actual then failwith (Printf.sprintf "expected %s, got %s" expected actual)

let rules = [ ("n", Arguments.At_least 1); ("phase", Arguments.One_of [ "base"; "spawn" ]) ]
let parse words = Arguments.parse (String.split_on_char ' ' words) rules [ "count" ]

let value words key =
  match List.assoc key (parse words) with Arguments.Integer value -> string_of_int value | Word value -> value

(* Status and output of a program, errors included. *)
let program ?(input = "") words =
  let command = Printf.sprintf "printf '%s' | COROBENCH_RUNTIME=test %s/%s 2>&1" input (Filename.quote programs) words in
  let channel = Unix.open_process_in command in
  let rec read lines = match input_line channel with line -> read (line :: lines) | exception End_of_file -> List.rev lines in
  let said = read [] in
  match Unix.close_process_in channel with
  | Unix.WEXITED status -> (string_of_int status, said)
  | WSIGNALED _ | WSTOPPED _ -> failwith (words ^ " was killed")

let contains part whole =
  let length = String.length part in
  let rec at i = i + length <= String.length whole && (String.sub whole i length = part || at (i + 1)) in
  at 0

let count part said = string_of_int (List.length (List.filter (contains part) said))

let refused =
  [
    ("nonce=-1", "nonce=-1 must be an integer of at least 0");
    ("phase=base", "n is missing");
    ("n", "\"n\" is not key=value");
    ("n=1 n=2", "n is given twice");
    ("m=1", "unknown key m");
    ("n=0", "n=0 must be an integer of at least 1");
    ("n=1.5", "n=1.5 must be an integer of at least 1");
    ("n=0x1", "n=0x1 must be an integer of at least 1");
    ("trace=2", "trace=2 must be 0 or 1");
    ("phase=x", "phase=x must be one of base, spawn");
  ]

let sums =
  [
    ("baseline n=10", fun first -> (10 * first) + 45);
    ("spawn n=10", fun first -> (10 * first) + 45);
    ("spawn-chain n=10", fun first -> (10 * first) + 45);
    ("tree n=10", fun first -> (10 * first) + 45);
    ("fan-in p=1 m=5", fun first -> 5 * (first + 1));
    ("hand-off m=5", fun first -> first + 10);
    ("ring k=3 rounds=5", fun first -> first + 15);
    ("switch k=3 m=10", fun first -> 3 * (first + 10));
    ("mutex k=3 m=5", fun first -> first + 15);
    ("semaphore k=3 s=2 m=5", fun first -> 3 * (first + 5));
    ("channel p=2 c=3 b=4 m=5", fun first -> (10 * first) + 45);
    ("select k=2 w=1 m=5", fun first -> (10 * first) + 45);
    ("scope n=3 m=4", fun first -> (4 * first) + 6);
    ("sleep-zero k=3 m=5", fun first -> 3 * (first + 5));
    ("wake-thread m=5", fun first -> first + 10);
  ]

(* What the evidence of a program has to contain. A lock is handed on in the order of asking, so that each is passed by all others. *)
let counts =
  [
    ("mutex k=3 m=5", {|"finished":3,"most":1,"yields":15,"passed":2|});
    ("mutex k=1 m=5", {|"finished":1,"most":1,"yields":0,"passed":0|});
    ("semaphore k=3 s=2 m=5", {|"finished":3,"most":2,"yields":15,|});
    ("semaphore k=1 s=1 m=5", {|"finished":1,"most":1,"yields":0,"passed":0|});
    ("channel p=1 c=1 b=4 m=50", {|"finished":2,"messages":50,"most":50|});
    ("select k=8 w=8 m=5", {|"finished":2,"messages":40,"least":5,"most":5|});
    ("select k=64 w=1 m=5", {|"finished":2,"messages":320,"least":5,"most":5|});
    ("scope n=3 m=4", {|"created":12,"failed":4,"cancelled":8,"cleaned":8|});
    ("wake-thread m=5", {|"finished":2,"messages":10,"threads":2|});
    ("burst n=5 bursts=2 idle_ms=1 nonce=1000000", {|"created":10,"finished":10,"checksum":10000045|});
    ("ticker k=3 ticks=5 period_us=1000", {|"finished":4,"active":3|});
    ("cancel-loaded n=10 k=3", {|"created":10,"cancelled":10,"finished":10,"active":3|});
  ]

let tests =
  [
    ( "values and defaults",
      fun () ->
        List.iter
          (fun (key, expected) -> same expected (value "phase=spawn n=7" key))
          [ ("phase", "spawn"); ("n", "7"); ("iterations", "1"); ("min_warm_ms", "0"); ("trace", "0"); ("count", "0") ];
        same "1" (value "n=7 phase=base count=1" "count") );
    ( "wrong command lines are refused",
      fun () ->
        List.iter
          (fun (words, message) ->
            match parse words with
            | _ -> failwith (words ^ " is taken")
            | exception Arguments.Usage text -> same message text)
          refused );
    ( "a program iterates as often as asked",
      fun () ->
        let status, said = program "spawn n=10 iterations=7" in
        same "0" status;
        same "7" (count {|"created":10,"finished":10|} said) );
    ( "results contain the nonce, which rises by one with each iteration",
      fun () ->
        List.iter
          (fun (words, sum) ->
            let _, said = program (words ^ " nonce=1000000 iterations=3") in
            List.iter
              (fun first -> same "1" (count (Printf.sprintf {|"checksum":%d}|} (sum first)) said))
              [ 1_000_000; 1_000_001; 1_000_002 ])
          sums );
    ( "tasks are numbered from the nonce on, in a trace as well",
      fun () ->
        List.iter
          (fun (name, first) ->
            let _, said = program (name ^ " n=1 nonce=1000000 trace=1") in
            same "1" (count (Printf.sprintf {|["run",%d,|} first) said))
          [ ("spawn", 1_000_000); ("spawn-chain", 1_000_000); ("tree", 0) ] );
    ( "tasks that give way go on in the order in which they did",
      fun () ->
        let cycle = {|["run",0,"task-1"],["run",1,"task-2"],["run",2,"task-3"]|} in
        same "1" (count (cycle ^ "," ^ cycle) (snd (program "switch k=3 m=3 trace=1"))) );
    ( "a byte goes to and fro",
      fun () -> same "3" (count {|"finished":2,"messages":40|} (snd (program "io-switch m=20 iterations=3"))) );
    ( "a task that is cancelled cleans up, and is joined",
      fun () ->
        let _, said = program ~input:{|\n\n|} "cancel n=10 iterations=3" in
        same "3" (count {|"created":10,"cancelled":10,"finished":10|} said) );
    ( "evidence is counted",
      fun () ->
        List.iter
          (fun (words, evidence) ->
            let _, said = program words in
            if count evidence said <> "1" then failwith (words ^ " says " ^ String.concat " " said))
          counts );
    ( "a program never iterates more than 10,000 times",
      fun () -> same "10000" (count {|"type":"iteration"|} (snd (program "baseline n=1 min_warm_ms=600000"))) );
    ( "memory holds at every point, and ends with its runner",
      fun () ->
        let _, said = program ~input:{|\n\n\n\n\n|} "memory-state n=30 nonce=1000000" in
        same "2" (count {|"units":30|} said);
        same "3" (count {|"units":0|} said);
        same "1" (count {|"checksum":30000435|} said);
        let status, complaint = program "memory n=30" in
        same "1" status;
        same "1" (count "stdin ended at the hold base" complaint) );
    ( "a start says nothing unless asked",
      fun () ->
        List.iter
          (fun mode ->
            let status, said = program ("startup mode=" ^ mode) in
            same "0 " (status ^ " " ^ String.concat "" said))
          [ "bare"; "first-task" ] );
    ( "a wrong command line ends with 2",
      fun () ->
        let status, said = program "spawn" in
        same "2 usage: n is missing" (status ^ " " ^ String.concat "" said) );
    ( "a task that fails ends with 1",
      fun () ->
        let status, said = program "failing" in
        same "1" status;
        same "1" (count "planted\")" said);
        same "0" (count {|"type":"end"|} said) );
  ]

let () =
  let failed (name, test) =
    match test () with
    | () -> false
    | exception Failure problem ->
        Printf.eprintf "FAILED %s: %s\n" name problem;
        true
  in
  let bad = List.length (List.filter failed tests) in
  Printf.printf "%d tests, %d failed\n" (List.length tests) bad;
  exit (if bad = 0 then 0 else 1)
