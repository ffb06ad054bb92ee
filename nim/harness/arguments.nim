## Reads key=value words against rules, and names precisely what is wrong with them.

import std/[sequtils, strutils, tables]

type
  Usage* = object of CatchableError ## a wrong command line
  Rule* = object
    least*: int ## of an integer, where there are no words
    words*: seq[string]
  Rules* = seq[(string, Rule)]

const shared = {"iterations": (1, 1), "min_warm_ms": (0, 0), "trace": (0, 0), "nonce": (0, 0)}
  ## the least value and the default of the keys that every workload understands

proc atLeast*(least: int): Rule = Rule(least: least)

proc oneOf*(words: varargs[string]): Rule = Rule(words: @words)

proc usage*(text: string) {.noreturn.} = raise newException(Usage, text)

proc checkInteger(key, text: string, least: int, flag: bool) =
  let digits = text.len in 1 .. 18 and text.allCharsInSet(Digits)
  if not digits or text.parseInt < least: usage(key & "=" & text & " must be an integer of at least " & $least)
  if flag and text.parseInt > 1: usage(key & "=" & text & " must be 0 or 1")

proc parse*(words: seq[string], rules: Rules, flags: seq[string] = @[]): Table[string, string] =
  ## The values of all keys; flags are keys that may be left out.
  let known = rules.toTable
  for given in words:
    let parts = given.split('=', 1)
    if parts.len != 2: usage("\"" & given & "\" is not key=value")
    let (key, text) = (parts[0], parts[1])
    if key in result: usage(key & " is given twice")
    if key in known and known[key].words.len > 0:
      if text notin known[key].words: usage(key & "=" & text & " must be one of " & known[key].words.join(", "))
    elif key in known: checkInteger(key, text, known[key].least, false)
    elif shared.anyIt(it[0] == key): checkInteger(key, text, shared.toTable[key][0], key == "trace")
    elif key in flags: checkInteger(key, text, 0, true)
    else: usage("unknown key " & key)
    result[key] = text
  for (key, _) in rules:
    if key notin result: usage(key & " is missing")
  for (key, rule) in shared: discard result.hasKeyOrPut(key, $rule[1])
  for key in flags: discard result.hasKeyOrPut(key, "0")
