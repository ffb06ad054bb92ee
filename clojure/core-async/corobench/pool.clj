(ns corobench.pool
  "The threads on which core.async dispatches go blocks."
  (:import (java.util.concurrent Executors)))

(defn executor
  "As many threads as the variant asks for, for dispatch alone. The library's default for all else,
  and where the variant asks for none. The property clojure.core.async.executor-factory names this."
  [workload]
  (when (= workload :core-async-dispatch)
    (when-let [threads (System/getenv "COROBENCH_THREADS")]
      (Executors/newFixedThreadPool (parse-long threads)
                                    (.. (Thread/ofPlatform) daemon (name "async-dispatch-" 1) factory)))))
