{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE ForeignFunctionInterface #-}

-- | One process: its arguments, the lines that it owes the runner, and the loop that times its operation.
module Program
  ( Outcome (..),
    Program (trace),
    Rule (..),
    hold,
    int,
    once,
    prepared,
    runProgram,
    series,
    timed,
    usageError,
    wordOf,
  )
where

import Arguments (Arguments, Rule (..), Value (..), number, parameters, parse, word)
import Clock (Span (..), minus, plus, timing)
import Control.Concurrent (getNumCapabilities, rtsSupportsBoundThreads, runInUnboundThread)
import Control.Exception (Exception, displayException, evaluate, fromException, throwIO, try)
import Control.Monad (unless, when)
import Data.ByteString.Builder (char7, hPutBuilder)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Data.Version (showVersion)
import Data.Word (Word8)
import Foreign.C.Error (throwErrnoIfMinus1Retry)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (Ptr)
import Foreign.Storable (peek)
import GHC.RTS.Flags (GCFlags (compact, generations, minAllocAreaSize), getGCFlags)
import Json (Json (..), encode)
import System.Environment (getArgs, lookupEnv)
import System.Exit (ExitCode (ExitFailure), exitWith)
import System.IO (BufferMode (BlockBuffering), hFlush, hPutStrLn, hSetBinaryMode, hSetBuffering, stderr, stdout)
import System.Info (fullCompilerVersion)
import System.Posix.Types (CSsize (..))
import Trace (Kind (Hold), Trace, asked, events, newTrace, record)

data Program = Program
  { arguments :: Arguments,
    trace :: Trace,
    -- | The lines that are written at the end, the last first.
    kept :: IORef [Json],
    -- | Time at holds, in all.
    held :: IORef Span
  }

-- | The operations of an iteration, and the evidence of what it did.
data Outcome = Outcome !Int [(String, Int)]

-- | A wrong command line; the message says what is wrong with it.
newtype UsageError = UsageError String
  deriving (Show)

instance Exception UsageError

usageError :: String -> IO a
usageError = throwIO . UsageError

-- | Runs a workload to its last line, given its parameters and flags. What goes wrong ends the process: with 2 where the command line is wrong.
runProgram :: String -> [(String, Rule)] -> [String] -> (Program -> IO ()) -> IO ()
runProgram workload rules flags body = try (session workload rules flags body) >>= either failed pure
  where
    failed problem = case fromException problem of
      Just (UsageError message) -> abort 2 ("usage: " ++ message)
      Nothing -> abort 1 (displayException problem)

abort :: Int -> String -> IO ()
abort status message = hPutStrLn stderr message *> exitWith (ExitFailure status)

session :: String -> [(String, Rule)] -> [String] -> (Program -> IO ()) -> IO ()
session workload rules flags body = do
  given <- parse rules flags <$> getArgs >>= either usageError pure
  greeting <- hello workload (parameters given (map fst rules))
  program <- Program given <$> newTrace (number given "trace" == 1) <*> newIORef [] <*> newIORef (Span 0 0)
  hSetBinaryMode stdout True
  hSetBuffering stdout (BlockBuffering Nothing)
  write greeting *> hFlush stdout
  -- Where the RTS has several threads of the system, main is bound to one of them: each wake-up of it would be a switch of that kind.
  runInUnboundThread (body program)
  readIORef (kept program) >>= mapM_ write . reverse
  when (asked (trace program)) $ do
    recorded <- events (trace program)
    write (Object [("type", Text "trace"), ("events", recorded)])
  write (Object [("type", Text "end")])
  hFlush stdout

hello :: String -> [(String, Value)] -> IO Json
hello workload params = do
  runtime <- lookupEnv "COROBENCH_RUNTIME" >>= maybe (usageError "COROBENCH_RUNTIME is not set") pure
  settings <- effective
  let version = Text (showVersion fullCompilerVersion)
  pure . Object $
    [("type", Text "hello"), ("protocol", Integer 1), ("runtime", Text runtime), ("version", version), ("language_version", version)]
      ++ [("workload", Text workload), ("params", Object (map (fmap given) params)), ("settings", Object settings)]
  where
    given (Number value) = Integer value
    given (Word value) = Text value

-- | What the RTS itself says of how it runs; sizes are in bytes.
effective :: IO [(String, Json)]
effective = do
  capabilities <- getNumCapabilities
  flags <- getGCFlags
  pure
    [ ("threaded", Boolean rtsSupportsBoundThreads),
      ("capabilities", Integer capabilities),
      ("generations", Integer (fromIntegral (generations flags))),
      ("compacting", Boolean (compact flags)),
      ("allocation_area", Integer (blockSize * fromIntegral (minAllocAreaSize flags)))
    ]
  where
    blockSize = 4096 -- that in which the RTS counts the area

-- | The value of a parameter or a flag.
int :: Program -> String -> Int
int = number . arguments

wordOf :: Program -> String -> String
wordOf = word . arguments

-- | Times the operation until that is enough. It is given the number that its results must contain: the runner's nonce, and one more with each iteration.
timed :: Program -> (Int -> IO Outcome) -> IO ()
timed program operation = prepared program (const (pure ())) (const . operation)

-- | The same for an operation that needs what must be set up before the clock starts.
prepared :: Program -> (Int -> IO a) -> (Int -> a -> IO Outcome) -> IO ()
prepared program prepare operation = go 0 0
  where
    go :: Int -> Int -> IO ()
    go !index !warmNs = do
      let !nonce = int program "nonce" + index
      made <- prepare nonce
      took <- lap program index (operation nonce made)
      let warm = if index == 0 then 0 else warmNs + took
          enough = index + 1 >= int program "iterations" && warm >= int program "min_warm_ms" * 1000000
      unless (asked (trace program) || enough || index + 1 >= mostIterations) (go (index + 1) warm)

-- | Ends the loop of a workload whose iterations are too short ever to fill min_warm_ms.
mostIterations :: Int
mostIterations = 10000

-- | One iteration, whatever was asked for.
once :: Program -> (Int -> IO Outcome) -> IO ()
once program operation = () <$ lap program 0 (operation (int program "nonce"))

-- | Nanoseconds that an iteration took. Its evidence is worked out while the clock runs: what is lazy is not work that was done.
lap :: Program -> Int -> IO Outcome -> IO Int
lap program index operation = do
  heldBefore <- readIORef (held program)
  (whole, Outcome ops evidence) <- timing $ do
    outcome@(Outcome _ evidence) <- operation
    mapM_ (evaluate . snd) evidence
    pure outcome
  heldAfter <- readIORef (held program)
  let took = whole `minus` (heldAfter `minus` heldBefore)
  keep program $
    [("type", Text "iteration"), ("index", Integer index), ("elapsed_ns", Integer (elapsed took)), ("cpu_ns", Integer (cpu took))]
      ++ [("ops", Integer ops), ("evidence", Object (map (fmap Integer) evidence))]
  pure (elapsed took)

-- | Raw samples in nanoseconds, in the order in which they happened. Those below zero count as zero.
series :: Program -> String -> [Int] -> IO ()
series program name values =
  keep program [("type", Text "series"), ("name", Text name), ("values", List (map (Integer . max 0) values))]

keep :: Program -> [(String, Json)] -> IO ()
keep program line = modifyIORef' (kept program) (Object line :)

-- | Announces a named point, and waits there until the runner has read the process from outside. The clocks of the iteration stand still.
hold :: Program -> String -> Int -> IO ()
hold program point units = do
  record (trace program) Hold (-1)
  (took, ()) <- timing $ do
    write (Object [("type", Text "hold"), ("point", Text point), ("units", Integer units)])
    hFlush stdout
    goOn point
  modifyIORef' (held program) (plus took)

-- | Reads a line from stdin by a system call that the RTS does not know of: it runs nothing and collects nothing meanwhile.
goOn :: String -> IO ()
goOn point = allocaBytes 1 skip
  where
    skip :: Ptr Word8 -> IO ()
    skip byte = do
      got <- throwErrnoIfMinus1Retry "stdin" (c_read 0 byte 1)
      when (got == 0) . throwIO . userError $ "stdin ended at the hold " ++ point ++ ": the runner is gone"
      char <- peek byte
      unless (char == newline) (skip byte)
    newline = 10

foreign import ccall unsafe "read" c_read :: CInt -> Ptr Word8 -> CSize -> IO CSsize

write :: Json -> IO ()
write line = hPutBuilder stdout (encode line <> char7 '\n')
