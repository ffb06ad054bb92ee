-- | The clocks of a region.
module Clock (Span (..), minus, monotonic, plus, timing) where

import GHC.Clock (getMonotonicTimeNSec)
import System.CPUTime (getCPUTime)

-- | Nanoseconds by the monotonic clock, and of the process's CPU time: all threads, user and system.
data Span = Span {elapsed :: !Int, cpu :: !Int}

monotonic :: IO Int
monotonic = fromIntegral <$> getMonotonicTimeNSec

cpuTime :: IO Int
cpuTime = fromInteger . (`div` 1000) <$> getCPUTime -- picoseconds

-- | How long an action takes. The CPU clock is read just outside of the other one.
timing :: IO a -> IO (Span, a)
timing action = do
  cpuBefore <- cpuTime
  before <- cpuBefore `seq` monotonic
  result <- before `seq` action
  after <- monotonic
  cpuAfter <- after `seq` cpuTime
  cpuAfter `seq` pure (Span (after - before) (cpuAfter - cpuBefore), result)

plus, minus :: Span -> Span -> Span
plus (Span elapsed1 cpu1) (Span elapsed2 cpu2) = Span (elapsed1 + elapsed2) (cpu1 + cpu2)
minus (Span elapsed1 cpu1) (Span elapsed2 cpu2) = Span (elapsed1 - elapsed2) (cpu1 - cpu2)
