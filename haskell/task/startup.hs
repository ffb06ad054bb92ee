-- | The smallest process, or one task. The harness does nothing but for the report that verify asks for, and for other words.
module Main (main) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, takeMVar)
import Control.Monad (unless)
import Program (Outcome (..), Rule (..), once, runProgram, trace, wordOf)
import System.Environment (getArgs)
import System.Exit (exitFailure)
import Task (await, start)

main :: IO ()
main = getArgs >>= run

run :: [String] -> IO ()
run ["mode=bare"] = pure ()
run ["mode=first-task"] = do
  result <- newEmptyMVar
  _ <- forkIO (putMVar result (1 :: Int))
  one <- takeMVar result
  unless (one == 1) exitFailure
run _ = runProgram "startup" [("mode", OneOf ["bare", "first-task"])] ["report"] $ \program ->
  once program $ \_ -> do
    finished <- if wordOf program "mode" == "bare" then pure 0 else start (trace program) 0 (pure 1) >>= await
    pure (Outcome 1 [("finished", finished)])
