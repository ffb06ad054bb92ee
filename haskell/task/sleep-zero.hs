{-# LANGUAGE BangPatterns #-}

-- | k tasks sleep m times each for no time at all.
module Main (main) where

import Control.Concurrent (threadDelay)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (awaitAll, numbered, startResuming)
import Trace (Kind (Run), Trace, record)

-- | Sleeps until the count of its wake-ups, which starts at `first`, has come to `end`.
sleeps :: Trace -> Int -> Int -> Int -> IO Int
sleeps recorded first end i = go first
  where
    go :: Int -> IO Int
    go !count
      | count == end = pure count
      | otherwise = threadDelay 0 *> record recorded Run i *> go (count + 1)

sleepAll :: Trace -> Int -> Int -> Int -> IO Outcome
sleepAll recorded k m !nonce = do
  tasks <- numbered k (\i -> startResuming recorded i (sleeps recorded nonce (nonce + m) i))
  (finished, checksum) <- awaitAll tasks
  pure (Outcome (checksum - finished * nonce) [("finished", finished), ("checksum", checksum)])

main :: IO ()
main = runProgram "sleep-zero" [("k", AtLeast 1), ("m", AtLeast 1)] [] $ \program ->
  timed program (sleepAll (trace program) (int program "k") (int program "m"))
