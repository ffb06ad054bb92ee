{-# LANGUAGE BangPatterns #-}

-- | Starts n tasks, numbered from the nonce on, by the cheapest start that was found, then collects and sums what they return.
module Main (main) where

import Control.Concurrent (myThreadId)
import Linked (awaitLinked, startLinked)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (collect)
import Trace (Trace)

-- | A loop puts each handle before those it has: mapM leaves a frame on the root's stack for each, and the collector walks that.
spawnAll :: Trace -> Int -> Int -> IO Outcome
spawnAll recorded n first = do
  root <- myThreadId
  tasks <- begin root first []
  let !created = length tasks
  (finished, checksum) <- collect recorded awaitLinked tasks
  pure (Outcome finished [("created", created), ("finished", finished), ("checksum", checksum)])
  where
    !end = first + n
    begin root !i tasks
      | i == end = pure tasks
      | otherwise = do
          task <- startLinked root recorded i (pure i)
          begin root (i + 1) (task : tasks)

main :: IO ()
main = runProgram "spawn" [("n", AtLeast 1)] [] $ \program ->
  timed program (spawnAll (trace program) (int program "n"))
