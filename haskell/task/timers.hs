-- | n tasks sleep once, each until a deadline of its own within one second.
module Main (main) where

import Clock (monotonic)
import Control.Concurrent (threadDelay)
import Data.IORef (newIORef, readIORef, writeIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, once, runProgram, series)
import Task (await, numbered, start)
import Trace (Trace)

-- | The number of a task, and how many nanoseconds after its deadline it went on.
data Woken = Woken {number :: !Int, late :: !Int}

spread, millisecond, microsecond :: Int
spread = 1000000000
millisecond = 1000000
microsecond = 1000

sleepUntil :: Int -> IO Int
sleepUntil deadline = do
  now <- monotonic
  threadDelay ((max 0 (deadline - now) + microsecond - 1) `div` microsecond)
  subtract deadline <$> monotonic

-- | How many were started, and what each returned.
sleepAll :: Trace -> Int -> Int -> IO (Int, [Woken])
sleepAll recorded n lead = do
  begin <- (+ lead * millisecond) <$> monotonic
  tasks <- numbered n (\i -> start recorded i (Woken i <$> sleepUntil (begin + i * spread `div` n)))
  (,) (length tasks) <$> mapM await tasks

main :: IO ()
main = runProgram "timers" [("n", AtLeast 1), ("lead", AtLeast 0)] [] $ \program -> do
  lateness <- newIORef []
  once program $ \_ -> do
    (created, woken) <- sleepAll (trace program) (int program "n") (int program "lead")
    writeIORef lateness (map late woken)
    let finished = length woken
        early = length (filter ((< negate millisecond) . late) woken)
    pure (Outcome finished [("created", created), ("finished", finished), ("checksum", sum (map number woken)), ("early", early)])
  readIORef lateness >>= series program "lateness"
