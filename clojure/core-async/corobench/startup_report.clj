(ns corobench.startup-report
  "What verify reads of the program startup, and how that refuses other words."
  (:require [corobench.first-task :as first-task]
            [corobench.process :as process])
  (:import (harness StartupReport StartupReport$Work)
           (java.util.function Supplier)))

(defn report [words]
  (StartupReport/run (into-array String words)
                     (process/version)
                     (reify Supplier
                       (get [_] (process/settings)))
                     (reify StartupReport$Work
                       (perform [_ mode] (if (= mode "bare") 0 (first-task/run))))))
