{-# LANGUAGE BangPatterns #-}

-- | n tasks take m steps of fizzbuzz each: as plain calls, without waiting, or with a yield after each.
module Main (main) where

import Control.Concurrent (yield)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed, wordOf)
import Steps (Steps (..), nothing, plus, steps)
import Task (Task, await, numbered, start)
import Trace (Kind (Collect), Trace, record)

-- | The sum of n tasks' steps, and of how many tasks they are.
add :: Int -> (Int -> IO Steps) -> IO Outcome
add n stepsOf = go 0 nothing
  where
    go :: Int -> Steps -> IO Outcome
    go !i !sofar
      | i == n = pure (outcome i sofar)
      | otherwise = stepsOf i >>= go (i + 1) . plus sofar

outcome :: Int -> Steps -> Outcome
outcome finished sofar = Outcome finished [("finished", finished), ("steps", done sofar), ("checksum", total sofar)]

-- | One task after the other is awaited once all were started.
collect :: Trace -> Int -> Int -> IO () -> IO Outcome
collect recorded n m after = numbered n (\i -> start recorded i (steps m i after)) >>= go 0 nothing
  where
    go :: Int -> Steps -> [Task Steps] -> IO Outcome
    go !i !sofar [] = pure (outcome i sofar)
    go !i !sofar (task : others) = do
      result <- await task
      record recorded Collect i
      go (i + 1) (sofar `plus` result) others

run :: Program -> String -> Int -> Int -> IO Outcome
run _ "base" n m = add n (\i -> steps m i (pure ()))
run program "spawn" n m = collect (trace program) n m (pure ())
run program _ n m = collect (trace program) n m yield

main :: IO ()
main = runProgram "fizzbuzz" [("phase", OneOf ["base", "spawn", "yield"]), ("n", AtLeast 1), ("m", AtLeast 1)] [] $ \program ->
  timed program (const (run program (wordOf program "phase") (int program "n") (int program "m")))
