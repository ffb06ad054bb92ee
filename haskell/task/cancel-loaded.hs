-- | n parked tasks are killed, clean up and are joined while k others yield.
module Main (main) where

import Crowd (Crowd, cancelAll, gather)
import Data.Foldable (traverse_)
import Data.IORef (IORef, newIORef, readIORef, writeIORef)
import Load (Load, startLoad, stopLoad, yielding)
import Program (Outcome (..), Program (trace), Rule (..), int, prepared, runProgram)

-- | The load that runs now: it outlives the iteration, which ends with the last join.
type Running = IORef (Maybe Load)

stop :: Running -> IO ()
stop running = readIORef running >>= traverse_ stopLoad

park :: Program -> Running -> IO (Load, Crowd)
park program running = do
  stop running
  load <- startLoad (trace program) (int program "k")
  writeIORef running (Just load)
  (,) load <$> gather (trace program) (int program "k") (int program "n")

cancel :: (Load, Crowd) -> IO Outcome
cancel (load, crowd) = do
  (finished, evidence) <- cancelAll crowd
  active <- yielding load
  pure (Outcome finished (evidence ++ [("active", active)]))

main :: IO ()
main = runProgram "cancel-loaded" [("n", AtLeast 1), ("k", AtLeast 1)] [] $ \program -> do
  running <- newIORef Nothing
  prepared program (const (park program running)) (const cancel)
  stop running
