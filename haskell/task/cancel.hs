-- | n parked tasks are killed, clean up and are joined.
module Main (main) where

import Crowd (cancelAll, gather)
import Program (Outcome (..), Program (trace), Rule (..), hold, int, prepared, runProgram)

main :: IO ()
main = runProgram "cancel" [("n", AtLeast 1)] [] $ \program -> do
  hold program "base" 0
  prepared program (const (gather (trace program) 0 (int program "n"))) (const (fmap (uncurry Outcome) . cancelAll))
  hold program "released" 0
