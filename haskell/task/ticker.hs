{-# LANGUAGE BangPatterns #-}

-- | A task wakes on an absolute schedule while k others yield.
module Main (main) where

import Clock (monotonic)
import Control.Concurrent (threadDelay)
import Control.Monad (when)
import Data.IORef (newIORef, readIORef, writeIORef)
import Load (startLoad, stopLoad)
import Program (Outcome (..), Program (trace), Rule (..), int, once, runProgram, series)
import Task (await, start)

microsecond :: Int
microsecond = 1000

-- | How late each tick was taken, in nanoseconds. One that is overdue is taken at once.
tick :: Int -> Int -> IO [Int]
tick ticks period = monotonic >>= go [] ticks
  where
    go :: [Int] -> Int -> Int -> IO [Int]
    go late 0 _ = pure (reverse late)
    go late left before = do
      let !due = before + period
      now <- monotonic
      when (now < due) (threadDelay ((due - now + microsecond - 1) `div` microsecond))
      taken <- monotonic
      let !lateness = max 0 (taken - due)
      go (lateness : late) (left - 1) due

main :: IO ()
main = runProgram "ticker" [("k", AtLeast 1), ("ticks", AtLeast 1), ("period_us", AtLeast 1)] [] $ \program -> do
  lateness <- newIORef []
  once program $ \_ -> do
    let k = int program "k"
    load <- startLoad (trace program) k
    late <- start (trace program) k (tick (int program "ticks") (int program "period_us" * microsecond)) >>= await
    counts <- stopLoad load
    writeIORef lateness late
    let active = length (filter (> 0) counts)
    pure (Outcome (length late) [("finished", length counts + 1), ("active", active), ("yields", sum counts)])
  readIORef lateness >>= series program "lateness"
