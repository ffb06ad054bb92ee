(ns corobench.first-task
  "What the program startup does, but for a bare start."
  (:require [clojure.core.async :refer [<!! go]]))

(defn run
  "Runs one task, and returns how many have finished."
  []
  (when-not (= (<!! (go 1)) 1)
    (throw (IllegalStateException. "the task did not return 1")))
  1)
