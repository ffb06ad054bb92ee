(ns programs.tree
  "Tree: a task for a range of leaves starts ten for the tenths of it, down to a task for each leaf."
  (:gen-class)
  (:require [clojure.core.async :refer [<! go]]
            [corobench.process :as process]
            [corobench.tasks :refer [on? task]])
  (:import (harness UsageException)))

(def ^:private children 10)

(declare node)

(defn- start-children [trace numbers leaf size]
  (let [share (quot size children)]
    (mapv #(node trace numbers (+ leaf (* % share)) share) (range children))))

(defn- node
  "Returns how many tasks there were below it and itself, and the sum of its leaves."
  [trace numbers leaf size]
  (let [i (when (on? trace) (swap! numbers inc))]
    (task trace i
      (if (= size 1)
        {:finished 1, :checksum leaf}
        (loop [tasks (seq (start-children trace numbers leaf size))
               finished 1
               checksum 0]
          (if tasks
            (let [child (<! (first tasks))]
              (recur (next tasks) (+ finished (:finished child)) (+ checksum (:checksum child))))
            {:finished finished, :checksum checksum}))))))

(defn- grow [program n]
  (go
    (let [sum (<! (node (process/trace program) (atom -1) (process/nonce program) n))]
      (process/outcome (:finished sum) sum))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)]
    (when-not (re-matches #"10*" (str n))
      (throw (UsageException. (str "n=" n ": must be a power of ten"))))
    (process/repeat program #(grow program n))))

(defn -main [& words]
  (process/run words "tree" ["n"] measure))
