{-# LANGUAGE BangPatterns #-}

-- | n tasks take m steps of fizzbuzz each, and sleep after each step.
module Main (main) where

import Clock (monotonic)
import Control.Concurrent (threadDelay)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Monad (when)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef, writeIORef)
import Program (Outcome (..), Program (trace), Rule (..), hold, int, once, runProgram, series)
import Steps (Steps (..), nothing, plus, worth)
import Task (await, numbered, start)
import Trace (Kind (Collect, Park), record)

-- | What a task did, and by how much its last sleep was too long.
data Slept = Slept {taken :: !Steps, late :: !Int}

-- | How many tasks have begun and not ended, how many have done their first step, and what the last of those fills.
data Crowd = Crowd {alive :: !(IORef Int), stepped :: !(IORef Int), asleep :: !(MVar ())}

millisecond, microseconds :: Int
millisecond = 1000000
microseconds = 1000

change :: IORef Int -> Int -> IO Int
change counter by = atomicModifyIORef' counter (\count -> (count + by, count + by))

-- | The m steps of task i; `arrive` is done after the first.
sleeper :: Int -> Int -> IO () -> Int -> IO Slept
sleeper m sleepMs arrive i = go nothing 0
  where
    go :: Steps -> Int -> IO Slept
    go !sofar !lateness
      | done sofar == m = pure (Slept sofar lateness)
      | otherwise = do
          let !next = sofar `plus` Steps 1 (worth (i + done sofar))
          when (done next == 1) arrive
          before <- monotonic
          threadDelay (sleepMs * microseconds)
          after <- monotonic
          go next (after - before - sleepMs * millisecond)

-- | A task among n: the last one that has done its first step tells the root.
member :: Program -> Crowd -> Int -> IO Slept
member program crowd i = do
  _ <- change (alive crowd) 1
  slept <- sleeper (int program "m") (int program "sleep_ms") arrive i
  _ <- change (alive crowd) (-1)
  pure slept
  where
    arrive = do
      record (trace program) Park i
      arrived <- change (stepped crowd) 1
      when (arrived == int program "n") (putMVar (asleep crowd) ())

-- | The most that were alive at once, and what each did.
sleepAll :: Program -> IO (Int, [Slept])
sleepAll program = do
  crowd <- Crowd <$> newIORef 0 <*> newIORef 0 <*> newEmptyMVar
  tasks <- numbered (int program "n") (\i -> start (trace program) i (member program crowd i))
  takeMVar (asleep crowd)
  mostAlive <- readIORef (alive crowd)
  hold program "live" mostAlive
  slept <- mapM (\(i, task) -> await task <* record (trace program) Collect i) (zip [0 ..] tasks)
  pure (mostAlive, slept)

main :: IO ()
main = runProgram "fizzbuzz-sleep" [("n", AtLeast 1), ("m", AtLeast 1), ("sleep_ms", AtLeast 1)] [] $ \program -> do
  hold program "base" 0
  lateness <- newIORef []
  once program $ \_ -> do
    (mostAlive, slept) <- sleepAll program
    writeIORef lateness (map late slept)
    let Steps stepsDone worthAll = foldr (plus . taken) nothing slept
        counts = [("finished", length slept), ("steps", stepsDone), ("checksum", worthAll), ("most_alive", mostAlive)]
    pure (Outcome stepsDone counts)
  readIORef lateness >>= series program "lateness"
