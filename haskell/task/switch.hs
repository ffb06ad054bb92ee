{-# LANGUAGE BangPatterns #-}

-- | Lets k tasks yield m times each.
module Main (main) where

import Control.Concurrent (yield)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (awaitAll, numbered, startResuming)
import Trace (Kind (Run), asked, record)

-- | The task that was resumed last, and how often it was another than before.
data Seen = Seen !Int !Int

-- | Yields until the count of its resumes, which starts at `first`, has come to `end`; what is done at each resume is nothing where one is timed.
yields :: Int -> Int -> IO () -> IO Int
yields first end resumed = go first
  where
    go :: Int -> IO Int
    go !count
      | count == end = pure count
      | otherwise = yield *> resumed *> go (count + 1)

switch :: Program -> Int -> IO Outcome
switch program !nonce = do
  seen <- newIORef (Seen (-1) 0)
  let !end = nonce + int program "m"
  tasks <- numbered k (\i -> startResuming (trace program) i (yields nonce end (watch seen i)))
  (finished, total) <- awaitAll tasks
  Seen _ switches <- readIORef seen
  let resumes = total - k * nonce
  pure (Outcome resumes ([("finished", finished), ("resumes", resumes), ("checksum", total)] ++ [("true_switches", switches) | counting]))
  where
    k = int program "k"
    counting = int program "count" == 1
    watch seen
      | counting || asked (trace program) = \i -> record (trace program) Run i *> look seen i
      | otherwise = const (pure ())

-- | Atomically, because the RTS may take the CPU from a thread wherever it allocates.
look :: IORef Seen -> Int -> IO ()
look seen i = atomicModifyIORef' seen (\(Seen before switches) -> (Seen i (if before == i then switches else switches + 1), ()))

main :: IO ()
main = runProgram "switch" [("k", AtLeast 1), ("m", AtLeast 1)] ["count"] $ \program -> timed program (switch program)
