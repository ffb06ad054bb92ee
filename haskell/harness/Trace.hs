-- | Records who runs when. Where no trace was asked for, nothing is recorded.
module Trace (Kind (..), Trace, asked, events, newTrace, record, takeNumber) where

import Data.Char (toLower)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)

import Control.Concurrent (myThreadId)
import Json (Json (..))

data Kind = Spawn | Spawned | Run | Park | Ask | Enter | Leave | Open | Fail | Close | Hold | Done | Collect
  deriving (Show)

data Event = Event !Kind !Int !String

-- | The events, the latest first, and the number of the next task where others than the root start some.
data Trace = Silent | Trace !(IORef [Event]) !(IORef Int)

newTrace :: Bool -> IO Trace
newTrace False = pure Silent
newTrace True = Trace <$> newIORef [] <*> newIORef 0

asked :: Trace -> Bool
asked Silent = False
asked Trace {} = True

-- | An event of a task, in the thread that runs. The runtime never gives a thread's number away again.
record :: Trace -> Kind -> Int -> IO ()
record Silent _ _ = pure ()
record (Trace recorded _) kind task = do
  unit <- show <$> myThreadId
  -- A string that is not there yet would keep the thread itself.
  length unit `seq` atomicModifyIORef' recorded (\earlier -> (Event kind task unit : earlier, ()))

takeNumber :: Trace -> IO Int
takeNumber Silent = pure 0
takeNumber (Trace _ next) = atomicModifyIORef' next (\number -> (number + 1, number))

events :: Trace -> IO Json
events Silent = pure (List [])
events (Trace recorded _) = List . map line . reverse <$> readIORef recorded
  where
    line (Event kind task unit) = List [Text (map toLower (show kind)), Integer task, Text unit]
