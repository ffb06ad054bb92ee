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

-- | How often a task was resumed; what is done at each resume is nothing where one is timed.
yields :: Int -> IO () -> IO Int
yields m resumed = go 0
  where
    go :: Int -> IO Int
    go !resumes
      | resumes == m = pure resumes
      | otherwise = yield *> resumed *> go (resumes + 1)

switch :: Program -> IO Outcome
switch program = do
  seen <- newIORef (Seen (-1) 0)
  tasks <- numbered (int program "k") (\i -> startResuming (trace program) i (yields (int program "m") (watch seen i)))
  (finished, resumes) <- awaitAll tasks
  Seen _ switches <- readIORef seen
  pure (Outcome resumes ([("finished", finished), ("resumes", resumes)] ++ [("true_switches", switches) | counting]))
  where
    counting = int program "count" == 1
    watch seen
      | counting || asked (trace program) = \i -> record (trace program) Run i *> look seen i
      | otherwise = const (pure ())

-- | Atomically, because the RTS may take the CPU from a thread wherever it allocates.
look :: IORef Seen -> Int -> IO ()
look seen i = atomicModifyIORef' seen (\(Seen before switches) -> (Seen i (if before == i then switches else switches + 1), ()))

main :: IO ()
main = runProgram "switch" [("k", AtLeast 1), ("m", AtLeast 1)] ["count"] $ \program -> timed program (switch program)
