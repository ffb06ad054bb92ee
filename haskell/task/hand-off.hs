-- | Two tasks pass a token to and fro, m times each, through an MVar of each.
module Main (main) where

import Control.Concurrent.MVar (newEmptyMVar, putMVar)
import Players (play, won)
import Program (Outcome, Program (trace), Rule (..), int, runProgram, timed)
import Task (startResuming)
import Trace (Trace)

alternate :: Trace -> Int -> IO Outcome
alternate recorded m = do
  here <- newEmptyMVar
  there <- newEmptyMVar
  first <- startResuming recorded 0 (play recorded 0 here there m)
  second <- startResuming recorded 1 (play recorded 1 there here m)
  putMVar here 0
  won [first, second] here

main :: IO ()
main = runProgram "hand-off" [("m", AtLeast 1)] [] $ \program -> timed program (alternate (trace program) (int program "m"))
