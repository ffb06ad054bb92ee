{-# LANGUAGE BangPatterns #-}

-- | A task waits on k channels at once, another sends through them in an order that the first does not know.
module Main (main) where

import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Concurrent.STM (STM, TMVar, atomically, newEmptyTMVarIO, putTMVar, takeTMVar)
import Control.Monad (replicateM, when)
import Data.Array (Array, listArray, (!))
import Data.Array.IO (IOUArray, getElems, newArray, readArray, writeArray)
import Data.Foldable (asum)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (await, startResuming)
import Trace (Kind (Run), Trace, record)

-- | A channel with room for one message.
type Box = TMVar Int

-- | The message of whichever has one, and the number of its channel.
firstOf :: [Box] -> STM (Int, Int)
firstOf boxes = asum [(,) channel <$> takeTMVar box | (channel, box) <- zip [0 ..] boxes]

-- | How many messages came through each channel, and their sum.
data Received = Received [Int] !Int

-- | Task 0, which answers after every w messages.
receive :: Trace -> [Box] -> MVar Int -> Int -> Int -> IO Received
receive recorded boxes answers w messages = do
  counts <- newArray (0, length boxes - 1) 0
  go counts 0 0
  where
    next = firstOf boxes
    go :: IOUArray Int Int -> Int -> Int -> IO Received
    go counts !received !total
      | received == messages = (`Received` total) <$> getElems counts
      | otherwise = do
          (channel, message) <- atomically next
          record recorded Run 0
          readArray counts channel >>= writeArray counts channel . (+ 1)
          let !now = received + 1
          when (now `rem` w == 0) (putMVar answers now)
          go counts now (total + message)

-- | Task 1. The nonce draws the order: each channel once a round, as k is a power of two. Returns how many it sent.
send :: Trace -> Array Int Box -> MVar Int -> Int -> Int -> Int -> Int -> IO Int
send recorded boxes answers k w messages nonce = go 0
  where
    go :: Int -> IO Int
    go !sent
      | sent == messages = pure sent
      | otherwise = do
          let (ahead, turn) = sent `quotRem` k
              number = nonce + ahead
              !message = nonce + sent
              !now = sent + 1
          atomically (putTMVar (boxes ! ((number + turn * (2 * number + 1)) `rem` k)) message)
          when (now `rem` w == 0) (takeMVar answers *> record recorded Run 1)
          go now

select :: Program -> Int -> IO Outcome
select program nonce = do
  boxes <- replicateM k newEmptyTMVarIO
  answers <- newEmptyMVar
  receiver <- startResuming recorded 0 (receive recorded boxes answers w messages)
  sender <- startResuming recorded 1 (send recorded (listArray (0, k - 1) boxes) answers k w messages nonce)
  Received counts checksum <- await receiver
  sent <- await sender
  let finished = length (filter (== messages) [sum counts, sent])
  pure . Outcome (sum counts) $
    [("finished", finished), ("messages", sum counts), ("least", minimum counts), ("most", maximum counts), ("checksum", checksum)]
  where
    recorded = trace program
    k = int program "k"
    w = int program "w"
    messages = k * int program "m"

main :: IO ()
main = runProgram "select" [("k", AtLeast 1), ("w", AtLeast 1), ("m", AtLeast 1)] [] $ \program -> timed program (select program)
