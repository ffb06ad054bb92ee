{-# LANGUAGE BangPatterns #-}

-- | The tasks of hand-off, ring and wake-thread: a ring of players, each with an MVar in which it waits.
module Players (Ring, pass, play, prepare) where

import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Data.Array (listArray, (!))
import Program (Outcome (..))
import Task (Task, awaitAll, blocked, numbered, startWithThread)
import Trace (Kind (Done, Run), Trace, record)

-- | The MVar in which the first task waits, and the tasks.
data Ring = Ring (MVar Int) [Task Int]

-- | Starts k of them; returns when all of them wait.
prepare :: Trace -> Int -> Int -> IO Ring
prepare recorded k rounds = do
  boxes <- listArray (0, k - 1) <$> numbered k (const newEmptyMVar)
  started <- numbered k $ \i ->
    startWithThread recorded i (play recorded i (boxes ! i) (boxes ! ((i + 1) `mod` k)) rounds <* record recorded Done i)
  blocked (map fst started)
  Ring (boxes ! 0) <$> mapM (\(_, task) -> pure task) started

-- | Gives the first player the token, which holds this number, joins them all, and takes the token that the last of them sent to the first.
pass :: Int -> Ring -> IO Outcome
pass nonce (Ring first players) = do
  putMVar first $! nonce
  (finished, messages) <- awaitAll players
  token <- takeMVar first
  pure (Outcome messages [("finished", finished), ("messages", messages), ("checksum", token)])

-- | Takes the token, adds one and passes it on; how often it was had.
play :: Trace -> Int -> MVar Int -> MVar Int -> Int -> IO Int
play trace i inbox outbox rounds = go 0
  where
    go :: Int -> IO Int
    go !received
      | received == rounds = pure received
      | otherwise = do
          token <- takeMVar inbox
          record trace Run i
          putMVar outbox $! token + 1
          go (received + 1)
