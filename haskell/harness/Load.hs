{-# LANGUAGE BangPatterns #-}

-- | Tasks that do nothing but yield until they are told to end.
module Load (Load, startLoad, stopLoad, yielding) where

import Control.Concurrent (yield)
import Control.Monad (unless)
import Data.IORef (IORef, atomicModifyIORef', atomicWriteIORef, newIORef, readIORef)
import Task (Task, await, numbered, start)
import Trace (Trace)

-- | The tasks, whether they are to end, and how many have yielded and not ended.
data Load = Load [Task Int] !(IORef Bool) !(IORef Int)

-- | Starts tasks 0 .. k - 1; returns when all of them have yielded.
startLoad :: Trace -> Int -> IO Load
startLoad recorded k = do
  ended <- newIORef False
  active <- newIORef 0
  tasks <- numbered k (\i -> start recorded i (keepYielding ended active))
  untilAll active
  pure (Load tasks ended active)
  where
    untilAll active = do
      running <- readIORef active
      unless (running == k) (yield *> untilAll active)

-- | How often it yielded.
keepYielding :: IORef Bool -> IORef Int -> IO Int
keepYielding ended active = do
  yield
  count 1
  go 1 <* count (-1)
  where
    count :: Int -> IO ()
    count change = atomicModifyIORef' active (\running -> (running + change, ()))
    go :: Int -> IO Int
    go !yields = do
      over <- readIORef ended
      if over then pure yields else yield *> go (yields + 1)

-- | How many have yielded and not ended.
yielding :: Load -> IO Int
yielding (Load _ _ active) = readIORef active

-- | Tells them to end, and returns the yields of each when all have.
stopLoad :: Load -> IO [Int]
stopLoad (Load tasks ended _) = atomicWriteIORef ended True *> mapM await tasks
