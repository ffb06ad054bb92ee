-- | Parked tasks, which are killed, clean up and are joined.
module Crowd (Crowd, cancelAll, gather) where

import Control.Concurrent (ThreadId, killThread)
import Control.Concurrent.MVar (MVar, newEmptyMVar, takeMVar)
import Control.Exception (finally)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)
import Task (Task, awaitKilled, blocked, numberedFrom, startKillable)
import Trace (Kind (Done, Run), Trace, record)

-- | The tasks, and how many cleaned up.
data Crowd = Crowd [(ThreadId, Task ())] !(IORef Int)

-- | Starts n of them, numbered from the first; returns when all of them wait, for an MVar that nobody fills.
gather :: Trace -> Int -> Int -> IO Crowd
gather recorded first n = do
  gate <- newEmptyMVar
  cleaned <- newIORef 0
  tasks <- numberedFrom first n (\i -> startKillable recorded i (park recorded gate cleaned i))
  blocked (map fst tasks)
  pure (Crowd tasks cleaned)

park :: Trace -> MVar () -> IORef Int -> Int -> IO ()
park recorded gate cleaned i = (record recorded Run i *> takeMVar gate) `finally` cleanUp
  where
    cleanUp = atomicModifyIORef' cleaned (\count -> (count + 1, ())) *> record recorded Done i

-- | How many were joined, and the evidence.
cancelAll :: Crowd -> IO (Int, [(String, Int)])
cancelAll (Crowd tasks cleaned) = do
  mapM_ (killThread . fst) tasks
  finished <- length <$> mapM (awaitKilled . snd) tasks
  cancelled <- readIORef cleaned
  pure (finished, [("created", length tasks), ("cancelled", cancelled), ("finished", finished)])
