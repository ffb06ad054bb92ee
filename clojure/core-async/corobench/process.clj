(ns corobench.process
  "The process of a workload: Java's harness writes its lines, the tasks are go blocks."
  (:refer-clojure :exclude [repeat])
  (:require [clojure.core.async :refer [<! <!! go go-loop timeout]]
            [clojure.core.async.impl.dispatch :as dispatch]
            [clojure.java.io :as io])
  (:import (clojure.lang Var)
           (harness Arguments Outcome Program VirtualMachine)
           (java.util IdentityHashMap Properties)
           (java.util.concurrent ThreadPoolExecutor)
           (java.util.function Supplier)))

(defn version
  "The version that the library's jar says."
  []
  (with-open [stream (io/input-stream (io/resource "META-INF/maven/org.clojure/core.async/pom.properties"))]
    (.getProperty (doto (Properties.) (.load stream)) "version")))

(defn settings
  "What is in effect: the pool that the library itself dispatches to, as it is."
  []
  (let [^ThreadPoolExecutor pool (dispatch/executor-for :core-async-dispatch)]
    (VirtualMachine/settings (object-array ["threads" (.getMaximumPoolSize pool)
                                            "clojure" (clojure-version)]))))

(defn units
  "Names whatever is running by its frame of dynamic bindings. The state machine of a go block keeps
  the frame, puts it in place whenever the block is resumed, and takes it away when it parks."
  []
  (let [names (IdentityHashMap.)]
    (reify Supplier
      (get [_]
        (locking names
          (let [frame (Var/getThreadBindingFrame)]
            (when-not (.containsKey names frame)
              (.put names frame (str "frame-" (.size names))))
            (.get names frame)))))))

(defn fail-on-errors!
  "An error that no one has caught ends the process, on whichever thread. Only the first is told."
  []
  (let [lock (Object.)]
    (Thread/setDefaultUncaughtExceptionHandler
     (reify Thread$UncaughtExceptionHandler
       (uncaughtException [_ _ error]
         (locking lock
           (Program/fail error)))))))

(defn run
  "Runs a workload to its last line. `measure` gets the program, and returns a channel that holds
  something when all is done."
  [words workload parameters measure]
  (fail-on-errors!)
  (let [arguments (Arguments. (into-array String words) parameters #{})
        program (Program. workload arguments (units))]
    (.hello program (version) (settings))
    (when-not (<!! (measure program))
      ;; A go block that fails closes its channel first. Its error is on the way to the handler.
      @(promise))
    (.end program)))

(defn integer
  "An argument, which must be an integer of at least `least`."
  [^Program program ^String parameter least]
  (long (.integer (.-arguments program) parameter least)))

(defn trace [^Program program]
  (.-trace program))

(defn nonce
  "The number that the results of this iteration must contain."
  [^Program program]
  (long (.nonce (.-laps program))))

(defn hold
  "Stands still on purpose, thread and all, until the runner has looked at the process."
  [^Program program point units]
  (.hold program point units))

(defn series
  "Raw samples in nanoseconds, in the order in which they happened."
  [^Program program name samples]
  (.series program name (long-array samples)))

(defn outcome
  "What an iteration did: its operations, and by keywords what was counted of them."
  [operations evidence]
  (Outcome. operations (update-keys evidence name)))

(defn- start [^Program program]
  (.start (.-laps program)))

(defn- stop [^Program program outcome]
  (.stop (.-laps program) outcome))

(defn- more? [^Program program]
  (.more (.-laps program)))

(defn once
  "Times an operation, which returns a channel of its outcome. A channel, like the others below."
  [program operation]
  (go
    (start program)
    (stop program (<! (operation)))
    :done))

(defn repeat-after
  "Times an operation until that is enough. It gets what `prepare` has made, on a channel and
  untimed, before each time."
  [program prepare operation]
  (go-loop []
    (let [prepared (<! (prepare))]
      (<! (once program #(operation prepared)))
      (if (more? program) (recur) :done))))

(defn repeat
  "Times an operation until that is enough."
  [program operation]
  (repeat-after program #(go :nothing) (fn [_] (operation))))

(defn until
  "Returns a channel that gets something once the condition holds; looks every millisecond."
  [condition]
  (go-loop []
    (if (condition)
      :done
      (do (<! (timeout 1))
          (recur)))))
