{-# LANGUAGE BangPatterns #-}

-- | Starts n tasks, then collects and sums what they return.
module Main (main) where

import Control.Concurrent (myThreadId)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (await, awaitLinked, numbered, start, startLinked)
import Trace (Kind (Collect), Trace, record)

spawnAll :: Trace -> Int -> IO Outcome
spawnAll recorded n = do
  tasks <- numbered n (\i -> start recorded i (pure i))
  let !created = length tasks
  collect await recorded created tasks

-- | The same by the cheapest start that was found, in a loop that puts each handle before those it has: mapM leaves a frame on the root's stack for each,
-- and the collector walks that.
spawnLinked :: Trace -> Int -> IO Outcome
spawnLinked recorded n = do
  root <- myThreadId
  tasks <- begin root 0 []
  let !created = length tasks
  collect awaitLinked recorded created tasks
  where
    begin root !i tasks
      | i == n = pure tasks
      | otherwise = do
          task <- startLinked root recorded i (pure i)
          begin root (i + 1) (task : tasks)

collect :: (task -> IO Int) -> Trace -> Int -> [task] -> IO Outcome
collect wait recorded created = go 0 0
  where
    go !finished !checksum [] = pure (Outcome finished [("created", created), ("finished", finished), ("checksum", checksum)])
    go !finished !checksum (task : others) = do
      result <- wait task
      record recorded Collect result
      go (finished + 1) (checksum + result) others
{-# INLINE collect #-}

main :: IO ()
main = runProgram "spawn" [("n", AtLeast 1)] ["limit"] $ \program ->
  timed program ((if int program "limit" == 1 then spawnLinked else spawnAll) (trace program) (int program "n"))
