(ns programs.baseline
  "Baseline: the body of a task as a plain call, n times."
  (:gen-class)
  (:require [clojure.core.async :refer [go]]
            [corobench.process :as process]))

(defn- body ^long [^long i]
  i)

(defn- calls
  "Calls with the integers from `nonce` on, and the sum of what was returned."
  [^long nonce ^long n]
  (loop [i nonce
         finished 0
         checksum 0]
    (if (< i (+ nonce n))
      (recur (inc i) (inc finished) (+ checksum (body i)))
      {:finished finished, :checksum checksum})))

(defn- baseline [program n]
  (go
    (let [called (calls (process/nonce program) n)]
      (process/outcome (:finished called) called))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)]
    (process/repeat program #(baseline program n))))

(defn -main [& words]
  (process/run words "baseline" ["n"] measure))
