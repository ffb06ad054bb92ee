(ns programs-test
  "Whole programs: what their evidence says, and how they end when something is wrong."
  (:require [clojure.java.shell :refer [sh]]
            [clojure.string :as str]
            [clojure.test :refer [are deftest is]]))

(defn- run
  "Runs a main class on three threads. Its standard input has ended."
  [main & words]
  (apply sh (str (System/getProperty "java.home") "/bin/java")
         "-XX:TieredStopAtLevel=1" "--enable-native-access=ALL-UNNAMED"
         "-Dclojure.core.async.executor-factory=corobench.pool/executor"
         "-cp" (System/getProperty "java.class.path")
         main
         (concat words [:in "" :env {"COROBENCH_RUNTIME" "test", "COROBENCH_THREADS" "3"}])))

(defn- iterations
  "The lines of those of a program that has ended well."
  [main words]
  (let [{:keys [exit out err]} (apply run main (str/split words #" "))]
    (is (= [0 ""] [exit err]))
    (filter #(str/includes? % "\"iteration\"") (str/split-lines out))))

(deftest results-contain-a-nonce-that-rises-by-one
  (are [program words checksums]
       (= checksums
          (map #(parse-long (second (re-find #"\"checksum\":(\d+)" %)))
               (iterations (str "programs." program) (str words " nonce=1000000 iterations=2"))))
    "baseline" "n=10" [10000045 10000055]
    "spawn" "n=10" [10000045 10000055]
    "spawn_chain" "n=10" [10000045 10000055]
    "tree" "n=10" [10000045 10000055]
    "fan_in" "p=10 m=2" [20000110 20000130]
    "hand_off" "m=10" [1000020 1000021]
    "ring" "k=5 rounds=2" [1000010 1000011]
    "channel" "p=2 c=2 b=1 m=2" [4000006 4000010]
    "select" "k=4 w=2 m=1" [4000006 4000010]
    "scope" "n=2 m=2" [2000001 2000003]
    "sleep_zero" "k=2 m=3" [2000006 2000008]
    "wake_thread" "m=5" [1000010 1000011]))

(defn- says
  "The exit status, and whether the text is among what was said on standard error."
  [{:keys [exit err]} text]
  [exit (str/includes? err text)])

(deftest the-pool-has-as-many-threads-as-are-asked-for
  (is (str/includes? (:out (run "programs.spawn" "n=1")) "\"threads\":3,")))

(deftest a-wrong-command-line-is-told
  (are [words text] (= [2 true] (says (apply run "programs.spawn" words) text))
    ["n=1" "m=1"] "usage: unknown key m"
    [] "usage: n is missing"
    ["n=x"] "usage: n=x: must be an integer of at least 1"))

(deftest a-startup-of-another-mode-is-refused
  (is (= [2 true] (says (run "programs.startup" "mode=other") "usage: mode=other"))))

(deftest a-task-that-fails-ends-the-process
  (are [mode] (= [1 true] (says (run "clojure.main" "-m" "planted" mode) "planted"))
    "joined"
    "left"))

(deftest a-hold-ends-with-standard-input
  (is (= [1 true] (says (run "programs.memory" "n=2") "stdin ended at the hold base"))))
