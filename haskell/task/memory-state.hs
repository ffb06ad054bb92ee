-- | Parks n tasks, each eight calls deep with 1 KiB of its own.
module Main (main) where

import Data.Word (Word8)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekElemOff)
import Parking (Gate, parking, waitAt)

depth, size, values :: Int
depth = 8
size = 1024
values = 251

-- | The calls above the one that holds the state. Without what a level adds to the answer, its call would be a jump, which leaves no frame.
descend :: Gate -> Int -> Int -> IO Int
descend gate i 1 = carry gate i
descend gate i levels = do
  result <- descend gate i (levels - 1)
  pure $! result + 1
{-# NOINLINE descend #-}

-- | The deepest call. The bytes last as long as it does, and are its own.
carry :: Gate -> Int -> IO Int
carry gate i = allocaBytes size $ \state -> do
  fillBytes state (fromIntegral (i `mod` values)) size
  waitAt gate i
  final <- peekElemOff (state :: Ptr Word8) (size - 1)
  pure $! i - i `mod` values + fromIntegral final
{-# NOINLINE carry #-}

main :: IO ()
main = parking "memory-state" (\gate i -> subtract (depth - 1) <$> descend gate i depth)
