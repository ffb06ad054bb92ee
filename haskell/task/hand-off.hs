-- | Two tasks pass a token to and fro, m times each, through an MVar of each: a ring of two.
module Main (main) where

import Players (pass, prepare)
import Program (Program (trace), Rule (..), int, prepared, runProgram)

main :: IO ()
main = runProgram "hand-off" [("m", AtLeast 1)] [] $ \program -> prepared program (const (prepare (trace program) 2 (int program "m"))) pass
