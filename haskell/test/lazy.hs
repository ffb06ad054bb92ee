-- | A program whose evidence nobody has asked for when its operation ends: it takes 20 ms to be worked out.
module Main (main) where

import Control.Concurrent (threadDelay)
import Program (Outcome (..), once, runProgram)
import System.IO.Unsafe (unsafePerformIO)

main :: IO ()
main = runProgram "lazy" [] [] $ \program -> once program (const (pure (Outcome 1 [("finished", later)])))

later :: Int
later = unsafePerformIO (1 <$ threadDelay 20000)
{-# NOINLINE later #-}
