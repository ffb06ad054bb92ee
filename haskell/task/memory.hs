-- | Parks n tasks that hold nothing but their number.
module Main (main) where

import Parking (parking, waitAt)

main :: IO ()
main = parking "memory" (\gate i -> i <$ waitAt gate i)
