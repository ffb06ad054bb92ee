{-# LANGUAGE BangPatterns #-}

-- | A root that has slept starts n tasks at once, and again; each tells when it first ran.
module Main (main) where

import Clock (monotonic)
import Control.Concurrent (threadDelay)
import Data.IORef (newIORef, readIORef, writeIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, once, runProgram, series)
import Task (await, numberedFrom, start)
import Trace (Kind (Collect), Trace, record)

-- | The number of a task, and how many nanoseconds after the beginning of its burst it first ran.
data Ran = Ran {number :: !Int, late :: !Int}

millisecond :: Int
millisecond = 1000 -- in microseconds

-- | How many tasks were started, and what each returned.
burst :: Trace -> Int -> Int -> IO (Int, [Ran])
burst recorded n first = do
  began <- monotonic
  tasks <- numberedFrom first n (\i -> start recorded i (Ran i . subtract began <$> monotonic))
  let !created = length tasks
  (,) created <$> mapM collect tasks
  where
    collect task = do
      ran <- await task
      ran <$ record recorded Collect (number ran)

main :: IO ()
main = runProgram "burst" [("n", AtLeast 1), ("bursts", AtLeast 1), ("idle_ms", AtLeast 0)] [] $ \program -> do
  starts <- newIORef []
  once program $ \nonce -> do
    let n = int program "n"
        idle = threadDelay (int program "idle_ms" * millisecond)
    bursts <- mapM (\i -> idle *> burst (trace program) n (nonce + i * n)) [0 .. int program "bursts" - 1]
    let ran = concatMap snd bursts
    writeIORef starts (map late ran)
    pure . Outcome (length ran) $
      [("created", sum (map fst bursts)), ("finished", length ran), ("checksum", sum (map number ran))]
        ++ [("last_ns", sum (map (maximum . map late . snd) bursts))]
  readIORef starts >>= series program "start"
