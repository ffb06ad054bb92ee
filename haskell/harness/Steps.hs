{-# LANGUAGE BangPatterns #-}

-- | What fizzbuzz and fizzbuzz-sleep share: the steps of a task.
module Steps (Steps (..), fizzbuzz, nothing, plus, steps, worth) where

import Data.Char (ord)

-- | How many steps were done, and what they were worth.
data Steps = Steps {done :: !Int, total :: !Int}

nothing :: Steps
nothing = Steps 0 0

plus :: Steps -> Steps -> Steps
plus (Steps done1 total1) (Steps done2 total2) = Steps (done1 + done2) (total1 + total2)

-- | Kept as a call, so that the text is made: inlined, its length could be had without it.
fizzbuzz :: Int -> String
fizzbuzz value
  | value `rem` 15 == 0 = "FizzBuzz"
  | value `rem` 3 == 0 = "Fizz"
  | value `rem` 5 == 0 = "Buzz"
  | otherwise = show value
{-# NOINLINE fizzbuzz #-}

worth :: Int -> Int
worth value = case fizzbuzz value of
  text@(first : _) -> 31 * length text + ord first
  [] -> 0

-- | The m steps of a task, with an action after each. It is an action itself where none has to be done after a step:
-- a value that depends on nothing but numbers could be worked out once, and kept from one iteration to the next.
steps :: Int -> Int -> IO () -> IO Steps
steps m task after = go nothing
  where
    go :: Steps -> IO Steps
    go !sofar
      | done sofar == m = pure sofar
      | otherwise = do
          let !next = sofar `plus` Steps 1 (worth (task + done sofar))
          after
          go next
{-# NOINLINE steps #-}
