{-# LANGUAGE BangPatterns #-}

-- | k tasks take one of s permits of a QSem m times each, and give way while they have it.
module Main (main) where

import Control.Concurrent (yield)
import Control.Concurrent.QSem (QSem, newQSem, signalQSem, waitQSem)
import Control.Exception (bracket_)
import Control.Monad (replicateM_)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, prepared, runProgram)
import Task (Task, await, startBlocked)
import Trace (Kind (Ask, Enter, Leave), Trace, record)

-- | How many have a permit, and how many ever had one.
data Room = Room !(IORef Int) !(IORef Int)

-- | What a visitor saw: its number among all, itself included; how many were inside; how often it gave way.
data Visit = Visit !Int !Int !Int

visit :: Room -> Bool -> IO Visit
visit (Room inside entered) contended = do
  here <- count inside 1
  number <- count entered 1
  gave <- if contended then 1 <$ yield else pure 0
  _ <- count inside (-1)
  pure (Visit number here gave)
  where
    count :: IORef Int -> Int -> IO Int
    count counter change = atomicModifyIORef' counter (\before -> let now = before + change in (now, now))

-- | The permits of a task, counted from the nonce on; the most that it saw inside; its yields; the most permits of others between two of its own.
data Count = Count {taken :: !Int, most :: !Int, yields :: !Int, passed :: !Int}

takePermits :: Trace -> QSem -> Int -> Int -> IO Visit -> Int -> IO Count
takePermits recorded permits m nonce within i = go (Count nonce 0 0 0) 0
  where
    go :: Count -> Int -> IO Count
    go !sofar !own
      | taken sofar == nonce + m = pure sofar
      | otherwise = do
          record recorded Ask i
          Visit number here gave <- bracket_ (waitQSem permits) (signalQSem permits) $ do
            record recorded Enter i *> within <* record recorded Leave i
          let others = number - own - 1
          go (Count (taken sofar + 1) (max (most sofar) here) (yields sofar + gave) (max (passed sofar) others)) number

data Contest = Contest QSem [Task Count]

-- | Returns when all tasks have asked for a permit, of which the root holds all: there is none.
form :: Trace -> Int -> Int -> Int -> Int -> IO Contest
form recorded k s m nonce = do
  permits <- newQSem 0
  room <- Room <$> newIORef 0 <*> newIORef 0
  Contest permits <$> startBlocked recorded k (takePermits recorded permits m nonce (visit room (k > s)))

share :: Int -> Int -> Contest -> IO Outcome
share s nonce (Contest permits tasks) = do
  replicateM_ s (signalQSem permits)
  counts <- mapM await tasks
  let checksum = sum (map taken counts)
      finished = length counts
  pure . Outcome (checksum - finished * nonce) $
    [("finished", finished), ("most", maximum (map most counts)), ("yields", sum (map yields counts))]
      ++ [("passed", maximum (map passed counts)), ("checksum", checksum)]

main :: IO ()
main = runProgram "semaphore" [("k", AtLeast 1), ("s", AtLeast 1), ("m", AtLeast 1)] [] $ \program -> do
  let s = int program "s"
  prepared program (form (trace program) (int program "k") s (int program "m")) (share s)
