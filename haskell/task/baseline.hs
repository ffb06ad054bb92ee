{-# LANGUAGE BangPatterns #-}

-- | Calls a plain function n times and sums what it returns: the language without tasks.
module Main (main) where

import Program (Outcome (..), Rule (..), int, runProgram, timed)

body :: Int -> Int
body i = i
{-# NOINLINE body #-}

-- | An action, because a sum that depends on n alone would be worked out once for all iterations.
call :: Int -> Int -> IO Outcome
call n first = go first 0
  where
    !end = first + n
    go :: Int -> Int -> IO Outcome
    go !i !checksum
      | i == end = pure (Outcome (i - first) [("finished", i - first), ("checksum", checksum)])
      | otherwise = do
          let !result = body i
          go (i + 1) (checksum + result)
{-# NOINLINE call #-}

main :: IO ()
main = runProgram "baseline" [("n", AtLeast 1)] [] $ \program -> timed program (call (int program "n"))
