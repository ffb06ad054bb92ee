-- | Passes a token round a ring of k tasks.
module Main (main) where

import Players (pass, prepare)
import Program (Program (trace), Rule (..), int, prepared, runProgram)

main :: IO ()
main = runProgram "ring" [("k", AtLeast 1), ("rounds", AtLeast 1)] [] $ \program ->
  prepared program (const (prepare (trace program) (int program "k") (int program "rounds"))) pass
