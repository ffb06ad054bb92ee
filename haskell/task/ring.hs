-- | Passes a token round a ring of k tasks.
module Main (main) where

import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar)
import Data.Array (listArray, (!))
import Players (play, won)
import Program (Outcome, Program (trace), Rule (..), int, prepared, runProgram)
import Task (Task, blocked, numbered, startWithThread)
import Trace (Kind (Done), Trace, record)

-- | The MVar in which the first task waits, and the tasks.
data Ring = Ring (MVar Int) [Task Int]

-- | Returns when all of them wait.
prepare :: Trace -> Int -> Int -> IO Ring
prepare recorded k rounds = do
  boxes <- listArray (0, k - 1) <$> numbered k (const newEmptyMVar)
  started <- numbered k $ \i ->
    startWithThread recorded i (play recorded i (boxes ! i) (boxes ! ((i + 1) `mod` k)) rounds <* record recorded Done i)
  blocked (map fst started)
  Ring (boxes ! 0) <$> mapM (\(_, task) -> pure task) started

pass :: Ring -> IO Outcome
pass (Ring first tasks) = putMVar first 0 *> won tasks first

main :: IO ()
main = runProgram "ring" [("k", AtLeast 1), ("rounds", AtLeast 1)] [] $ \program ->
  prepared program (prepare (trace program) (int program "k") (int program "rounds")) pass
