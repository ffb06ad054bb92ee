{-# LANGUAGE BangPatterns #-}

-- | The tasks of hand-off and ring.
module Players (play, won) where

import Control.Concurrent.MVar (MVar, putMVar, takeMVar)
import Program (Outcome (..))
import Task (Task, awaitAll)
import Trace (Kind (Run), Trace, record)

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

-- | Joins the players, and takes the token that the last of them sent to the first.
won :: [Task Int] -> MVar Int -> IO Outcome
won players first = do
  (finished, messages) <- awaitAll players
  token <- takeMVar first
  pure (Outcome messages [("finished", finished), ("messages", messages), ("checksum", token)])
