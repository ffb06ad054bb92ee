-- | n parked tasks are killed, clean up and are joined.
module Main (main) where

import Control.Concurrent (ThreadId, killThread)
import Control.Concurrent.MVar (MVar, newEmptyMVar, takeMVar)
import Control.Exception (finally)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)
import Program (Outcome (..), Program (trace), Rule (..), hold, int, prepared, runProgram)
import Task (Task, awaitKilled, blocked, numbered, startKillable)
import Trace (Kind (Done, Run), Trace, record)

-- | The tasks, and how many cleaned up.
data Crowd = Crowd [(ThreadId, Task ())] !(IORef Int)

-- | Returns when all of them wait, for an MVar that nobody fills.
gather :: Trace -> Int -> IO Crowd
gather recorded n = do
  gate <- newEmptyMVar
  cleaned <- newIORef 0
  tasks <- numbered n (\i -> startKillable recorded i (park recorded gate cleaned i))
  blocked (map fst tasks)
  pure (Crowd tasks cleaned)

park :: Trace -> MVar () -> IORef Int -> Int -> IO ()
park recorded gate cleaned i = (record recorded Run i *> takeMVar gate) `finally` cleanUp
  where
    cleanUp = atomicModifyIORef' cleaned (\count -> (count + 1, ())) *> record recorded Done i

cancel :: Crowd -> IO Outcome
cancel (Crowd tasks cleaned) = do
  mapM_ (killThread . fst) tasks
  finished <- length <$> mapM (awaitKilled . snd) tasks
  cancelled <- readIORef cleaned
  pure (Outcome finished [("created", length tasks), ("cancelled", cancelled), ("finished", finished)])

main :: IO ()
main = runProgram "cancel" [("n", AtLeast 1)] [] $ \program -> do
  hold program "base" 0
  prepared program (gather (trace program) (int program "n")) (const cancel)
  hold program "released" 0
