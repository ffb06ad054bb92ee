-- | Tests of the harness, and of whole programs; their folder is the argument.
module Main (main) where

import Arguments (Rule (..), Value (..), number, parameters, parse, word)
import Control.Concurrent (killThread, myThreadId, rtsSupportsBoundThreads)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, takeMVar)
import Control.Exception (IOException, finally, try)
import Control.Monad (unless)
import Data.ByteString.Builder (toLazyByteString)
import qualified Data.ByteString.Lazy.Char8 as Bytes
import Data.IORef (modifyIORef', newIORef, readIORef, writeIORef)
import Data.List (isInfixOf, isPrefixOf, sort)
import Json (Json (..), encode)
import Linked (awaitLinked, startLinked)
import Steps (Steps (..), fizzbuzz, nothing, plus, steps)
import System.Environment (getArgs, getEnvironment)
import System.Exit (ExitCode (..), exitFailure)
import System.IO (hPutStrLn, stderr)
import System.Process (CreateProcess (env), proc, readCreateProcessWithExitCode)
import Task (Task, await, awaitAll, awaitKilled, blocked, numbered, start, startBlocked, startKillable, startNext, startWithThread)
import Trace (Kind (..), events, newTrace, record)

-- | A name, and what was got beside what was wanted.
data Check = Check String String String

same :: Show a => String -> a -> a -> Check
same name got wanted = Check name (show got) (show wanted)

main :: IO ()
main = do
  folder <- getArgs >>= maybe (fail "the folder of programs is missing") pure . single
  checks <- concat <$> sequence [pure arguments, pure json, fizz, tasks, traces, programs folder]
  let wrong = [name ++ ": got " ++ got ++ ", wanted " ++ wanted | Check name got wanted <- checks, got /= wanted]
  mapM_ (hPutStrLn stderr) wrong
  unless (null wrong) exitFailure
  putStrLn (show (length checks) ++ " checks")
  where
    single [one] = Just one
    single _ = Nothing

arguments :: [Check]
arguments =
  [ same "values and defaults" (taken <$> given "n=7 phase=spawn iterations=3") (Right ([7, 3, 0, 0, 0, 0], "spawn")),
    same "a nonce" ((`number` "nonce") <$> given "n=7 phase=base nonce=1000000") (Right 1000000),
    same "a flag" ((`number` "count") <$> given "n=7 phase=base count=1") (Right 1),
    same "parameters" ((`parameters` ["n", "phase"]) <$> given "phase=base n=7") (Right [("n", Number 7), ("phase", Word "base")])
  ]
    ++ [same ("refused: " ++ words') (taken <$> given words') (Left message) | (words', message) <- refused]
  where
    given = parse [("n", AtLeast 1), ("phase", OneOf ["base", "spawn"])] ["count"] . words
    taken values = (map (number values) ["n", "iterations", "min_warm_ms", "nonce", "trace", "count"], word values "phase")
    refused =
      [ ("", "n is missing"),
        ("n", "\"n\" is not key=value"),
        ("n=1 n=2", "n is given twice"),
        ("m=1", "unknown key m"),
        ("n=0 phase=base", "n=0 must be an integer of at least 1"),
        ("n=1.5 phase=base", "n=1.5 must be an integer of at least 1"),
        ("n=0x10 phase=base", "n=0x10 must be an integer of at least 1"),
        ("n=9223372036854775808 phase=base", "n=9223372036854775808 must be an integer of at least 1"),
        ("n=1 phase=base min_warm_ms=-1", "min_warm_ms=-1 must be an integer of at least 0"),
        ("n=1 phase=base nonce=-1", "nonce=-1 must be an integer of at least 0"),
        ("n=1 phase=base trace=2", "trace=2 must be one of 0, 1"),
        ("n=1 phase=x", "phase=x must be one of base, spawn")
      ]

json :: [Check]
json =
  [ same "an object" (text (Object [("a", Integer (-1)), ("b", List [Boolean True, Boolean False])])) "{\"a\":-1,\"b\":[true,false]}",
    same "escapes" (text (Text "\"\\\n\955")) "\"\\\"\\\\\\u000a\206\187\""
  ]
  where
    text = Bytes.unpack . toLazyByteString . encode

fizz :: IO [Check]
fizz = do
  all100000 <- mapM (\i -> steps 10 i (pure ())) [0 .. 99999]
  turns <- newIORef (0 :: Int)
  Steps three worthThree <- steps 3 0 (modifyIORef' turns (+ 1))
  acted <- readIORef turns
  pure
    [ same "fizzbuzz" (map fizzbuzz [0, 1, 3, 5, 9, 10, 98]) ["FizzBuzz", "1", "Fizz", "Buzz", "Fizz", "Buzz", "98"],
      same "the sum of the steps" (total (foldr plus nothing all100000)) 207366715,
      same "what is done after each step" (three, worthThree, acted) (3, 31 * 8 + 70 + 31 + 49 + 31 + 50, 3)
    ]

tasks :: IO [Check]
tasks = do
  silent <- newTrace False
  order <- newIORef []
  started <- numbered 3 (\i -> start silent i (i <$ modifyIORef' order (i :)))
  sums <- awaitAll started
  ran <- readIORef order
  failed <- try (start silent 0 (fail "planted" :: IO Int) >>= await)
  root <- myThreadId
  linked <- startLinked root silent 0 (pure 7) >>= awaitLinked
  thrown <- try (startLinked root silent 0 (fail "planted" :: IO Int) >>= awaitLinked)
  cleaned <- newIORef False
  gate <- newEmptyMVar
  door <- newEmptyMVar
  (seen, waiting) <- startWithThread silent 0 (takeMVar door)
  blocked [seen]
  putMVar door 7
  through <- await waiting
  holder <- newEmptyMVar
  queued <- startBlocked silent 3 (\i -> takeMVar holder <* putMVar holder (i :: Int))
  putMVar holder 7
  handed <- mapM await queued
  (thread, task) <- startKillable silent 0 (takeMVar gate `finally` writeIORef cleaned True)
  blocked [thread]
  killThread thread
  awaitKilled (task :: Task ())
  clean <- readIORef cleaned
  past <- try (start silent 0 (pure ()) >>= awaitKilled)
  pure
    [ same "results" sums (3, 3),
      same "each ran once" (sort ran) [0, 1, 2],
      same "a failure goes on where it is awaited" (problem failed) "user error (planted)",
      same "a linked task's result" linked (7 :: Int),
      same "its failure is its starter's" (problem thrown) "user error (planted)",
      same "a thread that is seen to wait goes on" through (7 :: Int),
      same "those that waited are let in" (length handed, maximum handed) (3, 7),
      same "a killed task has cleaned up" clean True,
      same "one that was not killed is told of" (problem past) "user error (a task ran past its wait)"
    ]
  where
    problem :: Either IOException a -> String
    problem = either show (const "none")

traces :: IO [Check]
traces = do
  silent <- newTrace False
  record silent Run 1
  nothingSaid <- events silent
  trace <- newTrace True
  _ <- startNext trace (pure ()) >>= await
  _ <- startNext trace (pure ()) >>= await
  recorded <- events trace
  pure
    [ same "nothing is recorded unless asked" (shown nothingSaid) [],
      same "two tasks" (sort (map (take 2) (shown recorded))) (sort (concatMap life ["0", "1"])),
      same "each in a thread of its own" (length (units recorded)) 3
    ]
  where
    shown (List lines') = [[text part | part <- parts] | List parts <- lines']
    shown _ = []
    text part = filter (/= '"') (Bytes.unpack (toLazyByteString (encode part)))
    units recorded = foldr (\unit others -> if unit `elem` others then others else unit : others) [] (map last' (shown recorded))
    last' parts = concat (drop 2 parts)
    life i = [[kind, i] | kind <- ["spawn", "spawned", "run", "done"]]

-- | Status, lines and message of a program.
run :: FilePath -> String -> String -> String -> IO (ExitCode, [String], String)
run folder name given input = do
  inherited <- getEnvironment
  let started = (proc (folder ++ "/" ++ name) (words given)) {env = Just (("COROBENCH_RUNTIME", "test") : inherited)}
  (status, out, err) <- readCreateProcessWithExitCode started input
  pure (status, lines out, err)

programs :: FilePath -> IO [Check]
programs folder = do
  (spawned, spawnLines, _) <- run folder "spawn" "n=10 iterations=7" ""
  (held, heldLines, _) <- run folder "memory" "n=30" (replicate 5 '\n')
  (left, _, leftMessage) <- run folder "memory" "n=30" ""
  (_, manyLines, _) <- run folder "baseline" "n=1 min_warm_ms=600000" ""
  (_, lazyLines, _) <- run folder "lazy" "" ""
  started <- run folder "startup" "mode=first-task" ""
  refused <- run folder "spawn" "" ""
  noNonce <- run folder "spawn" "n=1 nonce=-1" ""
  (_, tracedLines, _) <- run folder "spawn" "n=2 nonce=1000000 trace=1" ""
  nonces <- mapM (\(name, given, _) -> (,) name . checksums . second <$> run folder name (given ++ " nonce=1000000 iterations=3") "") sums
  counted <- mapM (\(name, given, wanted) -> told (map fst wanted) . second <$> run folder name given "") counts
  failures <- mapM (\task -> run folder "failing" ("task=" ++ task) "") ["awaited", "left"]
  pure $
    [ same "as many iterations as asked" (spawned, map kind spawnLines) (ExitSuccess, ["hello"] ++ replicate 7 "iteration" ++ ["end"]),
      same "their evidence" (length (filter ("\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":" `isInfixOf`) spawnLines)) 7,
      same "the nonce rises by one with each" (checksums spawnLines) [show (45 + 10 * i) | i <- [0 .. 6 :: Int]],
      same "tasks are numbered from it in the trace" (sort (collected tracedLines)) ["1000000", "1000001"],
      same "units at the holds" (held, [units line | line <- heldLines, kind line == "hold"]) (ExitSuccess, ["0", "30", "30", "0", "0"]),
      same "the runner is gone" (left, "the runner is gone" `isInfixOf` leftMessage) (ExitFailure 1, True),
      same "never more than ten thousand iterations" (length manyLines) 10002,
      same "lazy evidence is timed" [(read (elapsed line) :: Int) >= 20000000 | line <- lazyLines, kind line == "iteration"] [True],
      same "a start says nothing" started (ExitSuccess, [], ""),
      same "a wrong nonce" noNonce (ExitFailure 2, [], "usage: nonce=-1 must be an integer of at least 0\n"),
      same "a wrong command line" refused (ExitFailure 2, [], "usage: n is missing\n")
    ]
      ++ [same (name ++ " with a nonce") got (map show wanted) | ((name, got), (_, _, wanted)) <- zip nonces sums]
      ++ [same (name ++ " " ++ given) got (map (fmap show) wanted) | (got, (name, given, wanted)) <- zip counted counts]
      ++ [same "a task that fails" (status, map kind said, "planted" `isInfixOf` message) (ExitFailure 1, ["hello"], True) | (status, said, message) <- failures]
  where
    kind = after "{\"type\":\""
    second (_, out, _) = out
    checksums = map (after "\"checksum\":") . filter ((== "iteration") . kind)
    collected = concatMap collects
    collects text = case found "[\"collect\"," text of
      "" -> []
      rest -> after "[\"collect\"," rest : collects (drop 1 rest)
    sums =
      [ ("baseline", "n=10", numbers),
        ("spawn", "n=10", numbers),
        ("limit-spawn", "n=10", numbers),
        ("spawn-chain", "n=10", numbers),
        ("tree", "n=10", numbers),
        ("fan-in", "p=10 m=2", [20000110, 20000130, 20000150]),
        ("hand-off", "m=10", [1000020, 1000021, 1000022]),
        ("ring", "k=5 rounds=2", [1000010, 1000011, 1000012]),
        ("switch", "k=5 m=2", [5000010, 5000015, 5000020]),
        ("mutex", "k=5 m=2", [1000010, 1000011, 1000012]),
        ("semaphore", "k=5 s=2 m=2", [5000010, 5000015, 5000020]),
        ("channel", "p=2 c=3 b=4 m=5", numbers),
        ("select", "k=2 w=1 m=5", numbers),
        ("scope", "n=3 m=10", numbers),
        ("sleep-zero", "k=5 m=2", [5000010, 5000015, 5000020])
      ]
    told keys out = [(key, after ("\"" ++ key ++ "\":") line) | line <- out, kind line == "iteration", key <- keys]
    counts :: [(String, String, [(String, Int)])]
    counts =
      [ ("mutex", "k=3 m=5", [("finished", 3), ("most", 1), ("yields", 15)]),
        ("mutex", "k=1 m=5", [("yields", 0), ("passed", 0)]),
        ("semaphore", "k=3 s=2 m=5", [("finished", 3), ("yields", 15)]),
        ("semaphore", "k=1 s=1 m=5", [("most", 1), ("yields", 0), ("passed", 0)]),
        ("channel", "p=1 c=1 b=4 m=50", [("finished", 2), ("messages", 50), ("most", 50)]),
        ("select", "k=8 w=8 m=5", [("finished", 2), ("messages", 40), ("least", 5), ("most", 5)]),
        ("select", "k=64 w=1 m=5", [("finished", 2), ("messages", 320), ("least", 5), ("most", 5)]),
        ("scope", "n=3 m=4", [("created", 12), ("failed", 4), ("cancelled", 8), ("cleaned", 8)]),
        ("burst", "n=5 bursts=2 idle_ms=1 nonce=1000000", [("created", 10), ("finished", 10), ("checksum", 10000045)]),
        ("ticker", "k=3 ticks=5 period_us=1000", [("finished", 4), ("active", 3)]),
        ("cancel-loaded", "n=10 k=3", [("created", 10), ("cancelled", 10), ("finished", 10), ("active", 3)])
      ]
        ++ [("wake-thread", "m=5", [("finished", 2), ("messages", 10), ("threads", 2), ("checksum", 10)]) | rtsSupportsBoundThreads]
    numbers = [10000045, 10000055, 10000065] :: [Int]
    units = after "\"units\":"
    elapsed = after "\"elapsed_ns\":"
    after mark = takeWhile (`notElem` "\",}") . drop (length mark) . found mark
    found mark text
      | null text || mark `isPrefixOf` text = text
      | otherwise = found mark (drop 1 text)
