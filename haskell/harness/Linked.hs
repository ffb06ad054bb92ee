{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}

-- | Tasks that throw what ended them at their starter, by the cheapest start that was found.
module Linked (Linked, awaitLinked, startLinked) where

import Control.Concurrent (ThreadId)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (SomeException, catch, evaluate, throwTo)
import GHC.Exts (fork#)
import GHC.IO (IO (..), unIO)
import Task (traced)
import Trace (Kind (..), Trace, asked, record)

-- | What a task will put at its end: its result, or nothing.
newtype Linked a = Linked (MVar a)

awaitLinked :: Linked a -> IO a
awaitLinked (Linked result) = takeMVar result
{-# INLINE awaitLinked #-}

-- | Starts task i of this starter, whose failure is the starter's.
startLinked :: ThreadId -> Trace -> Int -> IO a -> IO (Linked a)
startLinked starter trace i body =
  traced trace i (forkLinked starter (if asked trace then record trace Run i *> body <* record trace Done i else body))
{-# INLINE startLinked #-}

-- | One handler, where forkIO puts its own around that of the task, and an MVar that holds nothing but the result.
forkLinked :: ThreadId -> IO a -> IO (Linked a)
forkLinked starter body = do
  result <- newEmptyMVar
  forkBare ((body >>= evaluate >>= putMVar result) `catch` \problem -> throwTo starter (problem :: SomeException))
  pure (Linked result)
{-# INLINE forkLinked #-}

-- | A thread without any handler, by the primitive that forkIO goes down to.
forkBare :: IO () -> IO ()
forkBare body = IO $ \state -> case fork# (unIO body) state of (# after, _ #) -> (# after, () #)
{-# INLINE forkBare #-}
