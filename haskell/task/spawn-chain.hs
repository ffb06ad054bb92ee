{-# LANGUAGE BangPatterns #-}

-- | Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only.
module Main (main) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, takeMVar)
import Control.Monad (void)
import Data.IORef (modifyIORef', newIORef, readIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (traced)
import Trace (Kind (Done, Run), Trace, record)

-- | One task counts at a time. A task that fails says so itself, and the root is told by the RTS that nobody will wake it any more.
chain :: Trace -> Int -> Int -> IO Outcome
chain recorded n first = do
  ended <- newEmptyMVar
  finished <- newIORef 0
  checksum <- newIORef 0
  let !end = first + n
      follow i = traced recorded i (void (forkIO (link i)))
      -- The end of a task is recorded before it starts the next, because another thread of the system may take over there.
      link i = do
        record recorded Run i
        modifyIORef' checksum (+ i)
        modifyIORef' finished (+ 1)
        record recorded Done i
        if i + 1 < end then follow (i + 1) else putMVar ended ()
  follow first
  takeMVar ended
  count <- readIORef finished
  total <- readIORef checksum
  pure (Outcome count [("finished", count), ("checksum", total)])

main :: IO ()
main = runProgram "spawn-chain" [("n", AtLeast 1)] [] $ \program -> timed program (chain (trace program) (int program "n"))
