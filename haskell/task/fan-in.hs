{-# LANGUAGE BangPatterns #-}

-- | Several producers send to one consumer through a bounded queue: the one of the package stm, which comes with GHC.
module Main (main) where

import Control.Concurrent.STM (atomically)
import Control.Concurrent.STM.TBQueue (TBQueue, newTBQueueIO, readTBQueue, writeTBQueue)
import Control.Monad (replicateM_)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (await, awaitAll, numbered, start)
import Trace (Trace)

produce :: TBQueue Int -> Int -> Int -> IO Int
produce queue m value = value <$ replicateM_ m (atomically (writeTBQueue queue value))

-- | How many messages came, and their sum.
data Received = Received !Int !Int

consume :: TBQueue Int -> Int -> IO Received
consume queue messages = go (Received 0 0)
  where
    go :: Received -> IO Received
    go !sofar@(Received count total)
      | count == messages = pure sofar
      | otherwise = do
          value <- atomically (readTBQueue queue)
          go (Received (count + 1) (total + value))

fanIn :: Trace -> Int -> Int -> Int -> IO Outcome
fanIn recorded p m nonce = do
  queue <- newTBQueueIO 128
  producers <- numbered p (\i -> start recorded i (produce queue m $! nonce + i + 1))
  consumer <- start recorded p (consume queue (p * m))
  (joined, _) <- awaitAll producers
  Received messages total <- await consumer
  pure (Outcome messages [("finished", joined + 1), ("messages", messages), ("checksum", total)])

main :: IO ()
main = runProgram "fan-in" [("p", AtLeast 1), ("m", AtLeast 1)] [] $ \program ->
  timed program (fanIn (trace program) (int program "p") (int program "m"))
