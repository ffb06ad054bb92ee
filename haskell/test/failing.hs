-- | A program whose task fails: one that is awaited, or one that nobody awaits.
module Main (main) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, takeMVar)
import Control.Monad (void)
import Program (Outcome (..), Program (trace), Rule (..), once, runProgram, wordOf)
import Task (await, start)

planted :: IO ()
planted = fail "planted"

main :: IO ()
main = runProgram "failing" [("task", OneOf ["awaited", "left"])] [] $ \program -> once program $ \_ -> do
  if wordOf program "task" == "awaited"
    then start (trace program) 0 planted >>= await
    else do
      ended <- newEmptyMVar
      void (forkIO (planted *> putMVar ended ()))
      takeMVar ended
  pure (Outcome 1 [])
