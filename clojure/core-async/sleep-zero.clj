(ns programs.sleep-zero
  "Sleep of zero: k tasks sleep m times each for no time at all."
  (:gen-class)
  (:require [clojure.core.async :refer [<! go timeout]]
            [corobench.process :as process]
            [corobench.tasks :refer [join record resuming-task]]))

(defn- sleeps
  "Sleeps until its count, which starts from `nonce`, has come to `end`, and returns it."
  [trace i nonce end]
  (resuming-task trace i
    (loop [slept nonce]
      (if (= slept end)
        slept
        (do (<! (timeout 0))
            (record trace :run i)
            (recur (inc slept)))))))

(defn- sleep-zero [program k m]
  (let [trace (process/trace program)
        nonce (process/nonce program)]
    (go
      (let [tasks (mapv #(sleeps trace % nonce (+ nonce m)) (range k))
            joined (<! (join tasks))]
        (process/outcome (- (:checksum joined) (* k nonce)) joined)))))

(defn- measure [program]
  (let [k (process/integer program "k" 1)
        m (process/integer program "m" 1)]
    (process/repeat program #(sleep-zero program k m))))

(defn -main [& words]
  (process/run words "sleep-zero" ["k" "m"] measure))
