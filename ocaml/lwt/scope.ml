(* Scopes of n tasks each, one of which fails; the others are cancelled for it, and the root catches the error. *)

open Lwt.Syntax

(* The error of a task, by whose value the root knows it. *)
exception Failed of int

type scopes = {
  program : Program.t;
  mutable created : int;
  mutable failed : int;
  mutable cancelled : int;
  mutable cleaned : int;
  mutable checksum : int;
}

(* Lwt has no scopes. The first to end has the others cancelled (pick); its error goes on when all have ended, which pick does not wait for.
   Whatever else they failed with is lost behind it. *)
let all_or_none children =
  let ended child = Lwt.catch (fun () -> child) (fun _ -> Lwt.return_unit) in
  Lwt.catch
    (fun () -> Lwt.pick children)
    (fun first ->
      let* () = Lwt_list.iter_s ended children in
      Lwt.fail first)

(* Waits for what never comes. *)
let park scopes i arrive () =
  let never, _ = Lwt.task () in
  Lwt.finalize
    (fun () ->
      Lwt.catch
        (fun () ->
          arrive ();
          never)
        (fun error ->
          if error = Lwt.Canceled then scopes.cancelled <- scopes.cancelled + 1;
          Lwt.fail error))
    (fun () ->
      scopes.cleaned <- scopes.cleaned + 1;
      Program.record scopes.program "done" i;
      Lwt.return_unit)

(* Fails when its siblings wait. *)
let fail scopes i siblings value () =
  let* () = siblings in
  Program.record scopes.program "fail" i;
  Lwt.fail (Failed value)

(* Starts n tasks, numbered from `first` on, and returns when all have ended. *)
let scope scopes n first value =
  let siblings, wake = Lwt.wait () in
  let missing = ref (n - 1) in
  let arrive () =
    decr missing;
    if !missing = 0 then Lwt.wakeup_later wake ()
  in
  let start i =
    scopes.created <- scopes.created + 1;
    let body = if i < first + n - 1 then park scopes i arrive else fail scopes i siblings value in
    Program.start scopes.program i body
  in
  all_or_none (List.init n (fun i -> start (first + i)))

let open_all program n m () =
  let scopes = { program; created = 0; failed = 0; cancelled = 0; cleaned = 0; checksum = 0 } in
  let caught = function
    | Failed value ->
        scopes.failed <- scopes.failed + 1;
        scopes.checksum <- scopes.checksum + value;
        Lwt.return_unit
    | error -> Lwt.fail error
  in
  let rec go i =
    if i = m then Lwt.return_unit
    else (
      Program.record program "open" i;
      let* () = Lwt.catch (fun () -> scope scopes n (i * n) (Program.nonce program + i)) caught in
      Program.record program "close" i;
      go (i + 1))
  in
  let* () = go 0 in
  let { created; failed; cancelled; cleaned; checksum; _ } = scopes in
  Lwt.return
    ( cleaned + failed,
      [ ("created", created); ("failed", failed); ("cancelled", cancelled); ("cleaned", cleaned); ("checksum", checksum) ] )

let () =
  Program.run "scope"
    [ ("n", At_least 2); ("m", At_least 1) ]
    (fun program -> Program.repeat program (open_all program (Program.get program "n") (Program.get program "m")))
