{-# LANGUAGE BangPatterns #-}

-- | p producers send to c consumers through one bounded queue: that of the package stm, which comes with GHC.
module Main (main) where

import Control.Concurrent.STM (atomically)
import Control.Concurrent.STM.TBQueue (TBQueue, newTBQueueIO, readTBQueue, writeTBQueue)
import Control.Monad (replicateM_)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (await, numbered, numberedFrom, start)
import Trace (Kind (Run), Trace, record)

-- | Nothing tells a consumer that no more will come.
type Queue = TBQueue (Maybe Int)

-- | Sends m messages, the first of this number; how many it sent.
produce :: Trace -> Queue -> Int -> Int -> Int -> IO Int
produce recorded queue m i first = go 0
  where
    go :: Int -> IO Int
    go !sent
      | sent == m = pure sent
      | otherwise = do
          let !message = first + sent
          atomically (writeTBQueue queue (Just message))
          record recorded Run i
          go (sent + 1)

-- | How many messages came, and their sum.
data Received = Received {messages :: !Int, total :: !Int}

consume :: Trace -> Queue -> Int -> IO Received
consume recorded queue i = go (Received 0 0)
  where
    go :: Received -> IO Received
    go !sofar =
      atomically (readTBQueue queue) >>= \next -> case next of
        Nothing -> pure sofar
        Just message -> do
          record recorded Run i
          go (Received (messages sofar + 1) (total sofar + message))

pass :: Program -> Int -> IO Outcome
pass program nonce = do
  queue <- newTBQueueIO (fromIntegral (int program "b"))
  producers <- numbered p (\i -> start recorded i (produce recorded queue m i (nonce + i * m)))
  consumers <- numberedFrom p c (\i -> start recorded i (consume recorded queue i))
  sent <- mapM await producers
  replicateM_ c (atomically (writeTBQueue queue Nothing))
  received <- mapM await consumers
  let finished = length (filter (== m) sent) + length received
      counts = map messages received
  pure . Outcome (sum counts) $
    [("finished", finished), ("messages", sum counts), ("most", maximum counts), ("checksum", sum (map total received))]
  where
    recorded = trace program
    p = int program "p"
    c = int program "c"
    m = int program "m"

main :: IO ()
main = runProgram "channel" [("p", AtLeast 1), ("c", AtLeast 1), ("b", AtLeast 1), ("m", AtLeast 1)] [] $ \program ->
  timed program (pass program)
