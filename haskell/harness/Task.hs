{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE LambdaCase #-}

-- | Tasks: GHC's threads, and what waits for their results. What starts one is inlined, so that the program pays for no layer in between.
module Task
  ( Task,
    await,
    awaitAll,
    awaitKilled,
    blocked,
    collect,
    numbered,
    numberedFrom,
    outcome,
    start,
    startBlocked,
    startBound,
    startKillable,
    startNext,
    startResuming,
    startWithThread,
    traced,
  )
where

import Control.Concurrent (forkFinally, forkIO, forkOS, yield)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (AsyncException (ThreadKilled), SomeException, evaluate, fromException, throwIO, try)
import GHC.Conc (BlockReason (BlockedOnMVar), ThreadId (..), ThreadStatus (..), threadStatus)
import Trace (Kind (..), Trace, asked, record, takeNumber)

-- | What a task will put at its end. It doesn't name the thread, which a ThreadId would keep from being collected.
newtype Task a = Task (MVar (Either SomeException a))

-- | Waits for the result. What ended the task, where there is none, goes on here.
await :: Task a -> IO a
await task = outcome task >>= either throwIO pure

-- | Waits for the result, or for what ended the task in its place.
outcome :: Task a -> IO (Either SomeException a)
outcome (Task result) = takeMVar result

-- | Waits for tasks, one after the other: how many ended, and the sum of their results.
awaitAll :: [Task Int] -> IO (Int, Int)
awaitAll = awaitEach await

-- | The same where each is recorded, and awaited as its kind is.
collect :: Trace -> (task -> IO Int) -> [task] -> IO (Int, Int)
collect trace wait = awaitEach $ \task -> do
  result <- wait task
  result <$ record trace Collect result
{-# INLINE collect #-}

awaitEach :: (task -> IO Int) -> [task] -> IO (Int, Int)
awaitEach wait = go 0 0
  where
    go !finished !total [] = pure (finished, total)
    go !finished !total (task : others) = do
      result <- wait task
      go (finished + 1) (total + result) others
{-# INLINE awaitEach #-}

-- | Waits for the end of a task that was killed.
awaitKilled :: Task a -> IO ()
awaitKilled task =
  outcome task >>= \case
    Left problem | Just ThreadKilled <- fromException problem -> pure ()
    Left problem -> throwIO problem
    Right _ -> fail "a task ran past its wait"

-- | A thread has no result to be joined by: it puts one into an MVar, evaluated, so that no work is left to whoever takes it; or what ended it.
fork :: IO a -> IO (Task a)
fork body = snd <$> forkSeen body
{-# INLINE fork #-}

-- | The same with its thread, which is there to be looked at: nobody may throw at it.
-- As nothing is thrown at it before it has begun to catch, it needs no mask, which forkFinally has.
forkSeen :: IO a -> IO (ThreadId, Task a)
forkSeen body = do
  result <- newEmptyMVar
  thread <- forkIO (try (body >>= evaluate) >>= putMVar result)
  pure (thread, Task result)
{-# INLINE forkSeen #-}

-- | The same for a thread of the operating system, which runs this task and nothing else.
forkSeenBound :: IO a -> IO (ThreadId, Task a)
forkSeenBound body = do
  result <- newEmptyMVar
  thread <- forkOS (try (body >>= evaluate) >>= putMVar result)
  pure (thread, Task result)

-- | The same for one that may be killed, at any time.
forkKillable :: IO a -> IO (ThreadId, Task a)
forkKillable body = do
  result <- newEmptyMVar
  thread <- forkFinally (body >>= evaluate) (putMVar result)
  pure (thread, Task result)
{-# INLINE forkKillable #-}

-- | Starts task i.
start :: Trace -> Int -> IO a -> IO (Task a)
start trace i body = startResuming trace i (if asked trace then record trace Run i *> body else body)
{-# INLINE start #-}

-- | The same for a task that records by itself when it is resumed.
startResuming :: Trace -> Int -> IO a -> IO (Task a)
startResuming trace i body = traced trace i (fork (if asked trace then body <* record trace Done i else body))
{-# INLINE startResuming #-}

-- | The same for one that records its end by itself, too; with its thread, which lives on while somebody has this, and may not be killed.
startWithThread :: Trace -> Int -> IO a -> IO (ThreadId, Task a)
startWithThread trace i body = traced trace i (forkSeen body)
{-# INLINE startWithThread #-}

-- | The same in a thread of the operating system of its own.
startBound :: Trace -> Int -> IO a -> IO (ThreadId, Task a)
startBound trace i body = traced trace i (forkSeenBound body)

-- | Starts tasks 0 .. n - 1, and returns when each of them waits for an MVar. Their threads are not kept.
startBlocked :: Trace -> Int -> (Int -> IO a) -> IO [Task a]
startBlocked trace n body = do
  started <- numbered n (\i -> startWithThread trace i (record trace Run i *> body i <* record trace Done i))
  blocked (map fst started)
  mapM (\(_, task) -> pure task) started
{-# INLINE startBlocked #-}

-- | The same as startWithThread for a task that may be killed.
startKillable :: Trace -> Int -> IO a -> IO (ThreadId, Task a)
startKillable trace i body = traced trace i (forkKillable body)
{-# INLINE startKillable #-}

-- | Starts a task whose number is the next: others than the root start some.
startNext :: Trace -> IO a -> IO (Task a)
startNext trace body = do
  i <- takeNumber trace
  start trace i body
{-# INLINE startNext #-}

-- | Records that task i is started by this action.
traced :: Trace -> Int -> IO a -> IO a
traced trace i action = record trace Spawn i *> action <* record trace Spawned i

-- | What an action gives for 0 .. n - 1, done in this order. Inlined, so that no list of the numbers is made, let alone kept for the next iteration.
numbered :: Int -> (Int -> IO a) -> IO [a]
numbered = numberedFrom 0
{-# INLINE numbered #-}

-- | The same for the n numbers from this one on.
numberedFrom :: Int -> Int -> (Int -> IO a) -> IO [a]
numberedFrom first n action = mapM action [first .. first + n - 1]
{-# INLINE numberedFrom #-}

-- | Returns when each of these threads waits for an MVar.
blocked :: [ThreadId] -> IO ()
blocked = mapM_ wait
  where
    wait thread =
      threadStatus thread >>= \case
        ThreadRunning -> yield *> wait thread
        ThreadBlocked BlockedOnMVar -> pure ()
        ThreadBlocked _ -> yield *> wait thread
        _ -> pure () -- whoever awaits it will learn why
