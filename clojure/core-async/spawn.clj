(ns programs.spawn
  "Spawn: n tasks are started, then the result of each is collected."
  (:gen-class)
  (:require [clojure.core.async :refer [<! go]]
            [corobench.process :as process]
            [corobench.tasks :refer [collecting join task]]))

(defn- start [trace i]
  (task trace i
    i))

(defn- spawn [program n]
  (let [trace (process/trace program)
        nonce (process/nonce program)]
    (go
      (let [tasks (mapv #(start trace %) (range nonce (+ nonce n)))
            created (count tasks)
            joined (<! (join (collecting trace) tasks))]
        (process/outcome (:finished joined) (assoc joined :created created))))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)]
    (process/repeat program #(spawn program n))))

(defn -main [& words]
  (process/run words "spawn" ["n"] measure))
