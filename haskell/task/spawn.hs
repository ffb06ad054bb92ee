{-# LANGUAGE BangPatterns #-}

-- | Starts n tasks, numbered from the nonce on, then collects and sums what they return.
module Main (main) where

import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (await, collect, numberedFrom, start)
import Trace (Trace)

spawnAll :: Trace -> Int -> Int -> IO Outcome
spawnAll recorded n first = do
  tasks <- numberedFrom first n (\i -> start recorded i (pure i))
  let !created = length tasks
  (finished, checksum) <- collect recorded await tasks
  pure (Outcome finished [("created", created), ("finished", finished), ("checksum", checksum)])

main :: IO ()
main = runProgram "spawn" [("n", AtLeast 1)] [] $ \program ->
  timed program (spawnAll (trace program) (int program "n"))
