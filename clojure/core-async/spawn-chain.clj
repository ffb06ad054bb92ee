(ns programs.spawn-chain
  "Spawn chain: each task starts the next as its last act."
  (:gen-class)
  (:require [clojure.core.async :refer [<! chan go put!]]
            [corobench.process :as process]
            [corobench.tasks :refer [record recording-task]]))

(defn- link
  "Task i adds its number to the sum that the one before it handed on. Its end is recorded before it
  starts the next, because both may run at once."
  [trace ended i end finished checksum]
  (recording-task trace i
    (record trace :run i)
    (let [finished (inc finished)
          checksum (+ checksum i)]
      (record trace :done i)
      (if (< (inc i) end)
        (link trace ended (inc i) end finished checksum)
        (put! ended {:finished finished, :checksum checksum})))))

(defn- chain [program n]
  (let [trace (process/trace program)
        nonce (process/nonce program)
        ended (chan 1)]
    (go
      (link trace ended nonce (+ nonce n) 0 0)
      (let [sum (<! ended)]
        (process/outcome (:finished sum) sum)))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)]
    (process/repeat program #(chain program n))))

(defn -main [& words]
  (process/run words "spawn-chain" ["n"] measure))
