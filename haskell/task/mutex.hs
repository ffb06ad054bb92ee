{-# LANGUAGE BangPatterns #-}

-- | k tasks take one lock, which is an MVar, m times each, and give way inside.
module Main (main) where

import Control.Concurrent (yield)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, withMVar)
import Control.Monad (when)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, prepared, runProgram)
import Task (Task, await, startBlocked)
import Trace (Kind (Ask, Enter, Leave), Trace, record)

-- | What the lock guards: those who are inside, the most that ever were, how often one gave way, and a value that each makes one greater.
-- They give way between reading it and writing it: two that are inside at once lose an increment.
data Section = Section {inside :: !Int, most :: !Int, yields :: !Int, value :: !Int}

-- | The value that was found.
visit :: IORef Section -> Bool -> IO Int
visit section contended = do
  modifyIORef' section (\s -> s {inside = inside s + 1, most = max (most s) (inside s + 1)})
  !found <- value <$> readIORef section
  when contended (yield *> modifyIORef' section (\s -> s {yields = yields s + 1}))
  modifyIORef' section (\s -> s {inside = inside s - 1, value = found + 1})
  pure found

-- | The acquisitions of a task, and the most by others between two of them.
data Count = Count {acquired :: !Int, passed :: !Int}

takeLock :: Trace -> MVar () -> Int -> Int -> IO Int -> Int -> IO Count
takeLock recorded lock m nonce within i = go (Count 0 0) nonce
  where
    go :: Count -> Int -> IO Count
    go !sofar !own
      | acquired sofar == m = pure sofar
      | otherwise = do
          record recorded Ask i
          found <- withMVar lock (\() -> record recorded Enter i *> within <* record recorded Leave i)
          go (Count (acquired sofar + 1) (max (passed sofar) (found - own))) (found + 1)

-- | The lock, what it guards, and those who want it.
data Contest = Contest (MVar ()) !(IORef Section) [Task Count]

-- | Returns when all tasks have asked for the lock, which the root holds: it is empty.
form :: Trace -> Int -> Int -> Int -> IO Contest
form recorded k m nonce = do
  lock <- newEmptyMVar
  section <- newIORef (Section 0 0 0 nonce)
  Contest lock section <$> startBlocked recorded k (takeLock recorded lock m nonce (visit section (k > 1)))

contend :: Contest -> IO Outcome
contend (Contest lock section tasks) = do
  putMVar lock ()
  counts <- mapM await tasks
  left <- readIORef section
  pure . Outcome (sum (map acquired counts)) $
    [("finished", length counts), ("most", most left), ("yields", yields left)]
      ++ [("passed", maximum (map passed counts)), ("checksum", value left)]

main :: IO ()
main = runProgram "mutex" [("k", AtLeast 1), ("m", AtLeast 1)] [] $ \program ->
  prepared program (form (trace program) (int program "k") (int program "m")) (const contend)
