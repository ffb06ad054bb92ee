{-# LANGUAGE BangPatterns #-}

-- | Starts n tasks, then collects and sums what they return.
module Main (main) where

import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (Task, await, numbered, start)
import Trace (Kind (Collect), Trace, record)

spawnAll :: Trace -> Int -> IO Outcome
spawnAll recorded n = do
  tasks <- numbered n (\i -> start recorded i (pure i))
  let !created = length tasks
  collect recorded created tasks

collect :: Trace -> Int -> [Task Int] -> IO Outcome
collect recorded created = go 0 0
  where
    go :: Int -> Int -> [Task Int] -> IO Outcome
    go !finished !checksum [] = pure (Outcome finished [("created", created), ("finished", finished), ("checksum", checksum)])
    go !finished !checksum (task : others) = do
      result <- await task
      record recorded Collect result
      go (finished + 1) (checksum + result) others

main :: IO ()
main = runProgram "spawn" [("n", AtLeast 1)] [] $ \program -> timed program (spawnAll (trace program) (int program "n"))
