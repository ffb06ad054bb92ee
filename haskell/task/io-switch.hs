{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE CApiFFI #-}

-- | Two tasks pass a byte to and fro over a socket pair.
module Main (main) where

import Control.Concurrent (threadWaitRead, threadWaitWrite)
import Data.Bits ((.|.))
import Data.Word (Word8)
import Foreign.C.Error (throwErrnoIfMinus1RetryMayBlock, throwErrnoIfMinus1_)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import System.Posix.Types (CSsize (..), Fd (..))
import Task (awaitAll, start)
import Trace (Trace)

foreign import capi unsafe "sys/socket.h socketpair" c_socketpair :: CInt -> CInt -> CInt -> Ptr CInt -> IO CInt
foreign import capi unsafe "unistd.h read" c_read :: CInt -> Ptr Word8 -> CSize -> IO CSsize
foreign import capi unsafe "unistd.h write" c_write :: CInt -> Ptr Word8 -> CSize -> IO CSsize
foreign import capi "sys/socket.h value AF_UNIX" afUnix :: CInt
foreign import capi "sys/socket.h value SOCK_STREAM" sockStream :: CInt
foreign import capi "sys/socket.h value SOCK_NONBLOCK" sockNonblock :: CInt

socketPair :: IO (CInt, CInt)
socketPair = allocaArray 2 $ \ends -> do
  throwErrnoIfMinus1_ "socketpair" (c_socketpair afUnix (sockStream .|. sockNonblock) 0 ends)
  peekArray 2 ends >>= \pair -> case pair of
    [left, right] -> pure (left, right)
    _ -> fail "a pair has two ends"

-- | Tries, and waits where there is nothing yet, as the package network does.
receive :: CInt -> Ptr Word8 -> IO Int
receive socket byte = do
  got <- throwErrnoIfMinus1RetryMayBlock "read" (c_read socket byte 1) (threadWaitRead (Fd socket))
  if got == 1 then pure 1 else fail "the other end was closed"

send :: CInt -> Ptr Word8 -> IO ()
send socket byte = do
  sent <- throwErrnoIfMinus1RetryMayBlock "write" (c_write socket byte 1) (threadWaitWrite (Fd socket))
  if sent == 1 then pure () else fail "nothing was written"

-- | How many bytes came in m turns, each of which sends and receives in an order of its own.
turns :: Int -> (Ptr Word8 -> IO Int) -> IO Int
turns m turn = alloca $ \byte ->
  let go :: Int -> Int -> IO Int
      go 0 !received = pure received
      go left !received = turn byte >>= \more -> go (left - 1) (received + more)
   in go m 0

ask, answer :: CInt -> Ptr Word8 -> IO Int
ask socket byte = send socket byte *> receive socket byte
answer socket byte = receive socket byte <* send socket byte

alternate :: Trace -> (CInt, CInt) -> Int -> IO Outcome
alternate recorded (left, right) m = do
  first <- start recorded 0 (turns m (ask left))
  second <- start recorded 1 (turns m (answer right))
  (finished, messages) <- awaitAll [first, second]
  pure (Outcome (messages `div` 2) [("finished", finished), ("messages", messages)])

main :: IO ()
main = runProgram "io-switch" [("m", AtLeast 1)] [] $ \program -> do
  pair <- socketPair
  timed program (const (alternate (trace program) pair (int program "m")))
