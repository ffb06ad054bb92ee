-- | A thread of the operating system, which runs one task and nothing else, and another task pass a token to each other.
module Main (main) where

import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Data.List (nub)
import Foreign.C.Types (CUIntPtr (..))
import Players (play)
import Program (Outcome (..), Program (trace), Rule (..), int, prepared, runProgram)
import Task (Task, await, blocked, startBound, startWithThread)
import Trace (Kind (Done), Trace, record)

foreign import ccall unsafe "pthread_self" c_self :: IO CUIntPtr

-- | How many tokens one received, and the thread of the operating system on which it ended.
data Ended = Ended {received :: !Int, thread :: !CUIntPtr}

-- | The MVar in which the thread waits, and both.
data Game = Game (MVar Int) [Task Ended]

-- | Returns when both wait.
begin :: Trace -> Int -> IO Game
begin recorded m = do
  ofThread <- newEmptyMVar
  ofTask <- newEmptyMVar
  (first, bound) <- startBound recorded 0 (playing 0 ofThread ofTask)
  (second, task) <- startWithThread recorded 1 (playing 1 ofTask ofThread)
  blocked [first, second]
  pure (Game ofThread [bound, task])
  where
    playing i inbox outbox = (Ended <$> play recorded i inbox outbox m <*> c_self) <* record recorded Done i

pass :: Int -> Game -> IO Outcome
pass nonce (Game inbox players) = do
  putMVar inbox $! nonce
  ended <- mapM await players
  token <- takeMVar inbox
  let counts = map received ended
  pure . Outcome (minimum counts) $
    [("finished", length ended), ("messages", sum counts), ("threads", length (nub (map thread ended))), ("checksum", token)]

main :: IO ()
main = runProgram "wake-thread" [("m", AtLeast 1)] [] $ \program ->
  prepared program (const (begin (trace program) (int program "m"))) pass
