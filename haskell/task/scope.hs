{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE LambdaCase #-}

-- | Scopes of n tasks each, one of which fails; the others are killed for it, and the root catches the error.
module Main (main) where

import Control.Concurrent (ThreadId, killThread)
import Control.Concurrent.MVar (MVar, newEmptyMVar, takeMVar, tryPutMVar)
import Control.Concurrent.QSemN (QSemN, newQSemN, signalQSemN, waitQSemN)
import Control.Exception (AsyncException (ThreadKilled), Exception, SomeException, catch, finally, throwIO, try)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)
import Program (Outcome (..), Program (trace), Rule (..), int, runProgram, timed)
import Task (Task, numberedFrom, outcome, startKillable)
import Trace (Kind (Close, Done, Fail, Open, Run), Trace, record)

-- | The error of a task, by whose value the root knows it.
newtype Failure = Failure Int
  deriving (Show)

instance Exception Failure

-- | What has become of all children.
data Counts = Counts {created :: !(IORef Int), cancelled :: !(IORef Int), cleaned :: !(IORef Int)}

count :: IORef Int -> IO ()
count counter = atomicModifyIORef' counter (\before -> (before + 1, ()))

-- | Starts the children by this action, which is given what keeps the first error; kills all when there is one, waits for all of them,
-- and throws it. It is what mapConcurrently_ of the package async does, which does not come with GHC; it waits for an error alone.
failing :: (MVar SomeException -> IO [(ThreadId, Task ())]) -> IO ()
failing begin = do
  first <- newEmptyMVar
  children <- begin first
  problem <- takeMVar first
  mapM_ (killThread . fst) children
  mapM_ (outcome . snd) children
  throwIO problem

scope :: Trace -> Counts -> Int -> Int -> Int -> IO ()
scope recorded counts n first value = failing $ \failed -> do
  waiting <- newQSemN 0
  let child i
        | i < first + n - 1 = park recorded counts waiting i
        | otherwise = failAfter recorded (n - 1) waiting value i
      kept i = child i `catch` \problem -> tryPutMVar failed problem *> throwIO problem
  numberedFrom first n (\i -> startKillable recorded i (kept i) <* count (created counts))

-- | Waits for what never comes.
park :: Trace -> Counts -> QSemN -> Int -> IO ()
park recorded counts waiting i = do
  record recorded Run i
  never <- newEmptyMVar
  ((signalQSemN waiting 1 *> takeMVar never) `catch` killed) `finally` (count (cleaned counts) *> record recorded Done i)
  where
    killed = \case
      ThreadKilled -> count (cancelled counts) *> throwIO ThreadKilled
      other -> throwIO other

-- | Fails when its siblings wait.
failAfter :: Trace -> Int -> QSemN -> Int -> Int -> IO ()
failAfter recorded siblings waiting value i = do
  record recorded Run i
  waitQSemN waiting siblings
  record recorded Fail i
  throwIO (Failure value)

scopes :: Trace -> Int -> Int -> Int -> IO Outcome
scopes recorded n m nonce = do
  counts <- Counts <$> newIORef 0 <*> newIORef 0 <*> newIORef 0
  caught <- concat <$> mapM (one counts) [0 .. m - 1]
  started <- readIORef (created counts)
  stopped <- readIORef (cancelled counts)
  tidied <- readIORef (cleaned counts)
  pure . Outcome (tidied + length caught) $
    [("created", started), ("failed", length caught), ("cancelled", stopped), ("cleaned", tidied), ("checksum", sum caught)]
  where
    one counts i = do
      record recorded Open i
      failure <- try (scope recorded counts n (i * n) (nonce + i))
      record recorded Close i
      pure (either (\(Failure value) -> [value]) (const []) failure)

main :: IO ()
main = runProgram "scope" [("n", AtLeast 2), ("m", AtLeast 1)] [] $ \program ->
  timed program (scopes (trace program) (int program "n") (int program "m"))
