-- | The program of a memory workload: parks n tasks, numbered from the nonce on, at one gate, and holds the process still before, while and after they live.
module Parking (Gate, parking, waitAt) where

import Control.Concurrent (yield)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, readMVar)
import Control.Monad (unless)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)
import Program (Outcome (..), Program (trace), Rule (..), hold, int, once, runProgram)
import System.Mem (performMajorGC)
import Task (awaitAll, numberedFrom, start)
import Trace (Kind (Park), Trace, record)

-- | An MVar that is filled to open the gate, and how many wait for that.
data Gate = Gate !Trace !(MVar ()) !(IORef Int)

-- | Parks task i until the gate is opened.
waitAt :: Gate -> Int -> IO ()
waitAt (Gate recorded opened parked) i = do
  record recorded Park i
  count 1
  readMVar opened
  count (-1)
  where
    count change = atomicModifyIORef' parked (\waiting -> (waiting + change, ()))

-- | The whole program; the body is what task i does: it waits at the gate once, and returns i.
parking :: String -> (Gate -> Int -> IO Int) -> IO ()
parking workload body = runProgram workload [("n", AtLeast 1)] [] $ \program ->
  once program (measure program (int program "n") body)

measure :: Program -> Int -> (Gate -> Int -> IO Int) -> Int -> IO Outcome
measure program n body first = do
  opened <- newEmptyMVar
  parked <- newIORef 0
  let gate = Gate (trace program) opened parked
      announce point = readIORef parked >>= hold program point
      twice point = announce point *> performMajorGC *> announce (point ++ "-collected")
  announce "base"
  tasks <- numberedFrom first n (\i -> start (trace program) i (body gate i))
  let created = length tasks
  untilAll parked created
  twice "live"
  putMVar opened ()
  (finished, checksum) <- awaitAll tasks
  twice "released"
  pure (Outcome finished [("created", created), ("finished", finished), ("checksum", checksum)])

-- | The last one has counted itself before it waits: it does that while the root yields once more.
untilAll :: IORef Int -> Int -> IO ()
untilAll parked n = do
  waiting <- readIORef parked
  yield
  unless (waiting == n) (untilAll parked n)
