{-# LANGUAGE BangPatterns #-}

-- | A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf.
module Main (main) where

import Control.Monad (unless)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed, usageError)
import Task (Task, await, numbered, startNext)
import Trace (Trace)

-- | How many tasks were joined in a task, itself included, and the sum of its leaves.
data Joined = Joined !Int !Int

children :: Int
children = 10

-- | The number of the first leaf is strict: GHC would box it in each task, as the root's is known only when it starts.
node :: Trace -> Int -> Int -> IO Joined
node _ !first 1 = pure (Joined 1 first)
node recorded !first leaves = do
  let share = leaves `div` children
  numbered children (\i -> startNext recorded (node recorded (first + i * share) share)) >>= join (Joined 1 0)

join :: Joined -> [Task Joined] -> IO Joined
join !sofar [] = pure sofar
join (Joined tasks total) (child : others) = do
  Joined more part <- await child
  join (Joined (tasks + more) (total + part)) others

grow :: Trace -> Int -> Int -> IO Outcome
grow recorded n nonce = do
  Joined tasks total <- startNext recorded (node recorded nonce n) >>= await
  pure (Outcome tasks [("finished", tasks), ("checksum", total)])

main :: IO ()
main = runProgram "tree" [("n", AtLeast 1)] [] $ \program -> do
  let n = int program "n"
  unless (n `elem` takeWhile (<= n) (iterate (* children) 1)) (usageError ("n=" ++ show n ++ " must be a power of ten"))
  timed program (grow (trace program) n)
