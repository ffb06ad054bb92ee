(ns programs.burst
  "Burst: many tasks are started at once out of idleness."
  (:gen-class)
  (:require [clojure.core.async :refer [<! go timeout]]
            [corobench.process :as process]
            [corobench.tasks :refer [collecting join task]]))

(defn- note-start
  "Keeps how many nanoseconds after `began` task i first ran."
  [^longs starts i began]
  (aset starts i (- (System/nanoTime) (long began))))

(defn- start [trace nonce i starts began]
  (let [number (+ nonce i)]
    (task trace number
      (note-start starts i began)
      number)))

(defn- burst
  "Starts n tasks, the first of which has its place in `starts` at `from`."
  [trace nonce from n starts]
  (go
    (let [began (System/nanoTime)
          tasks (mapv #(start trace nonce % starts began) (range from (+ from n)))
          created (count tasks)
          joined (<! (join (collecting trace) tasks))]
      (assoc joined
             :created created
             :last_ns (transduce (comp (drop from) (take n)) max 0 starts)))))

(defn- bursts
  "Sleeps before each burst."
  [program n times idle starts]
  (let [trace (process/trace program)
        nonce (process/nonce program)]
    (go
      (loop [done 0
             sum {}]
        (if (= done times)
          (process/outcome (:finished sum) sum)
          (do (<! (timeout idle))
              (recur (inc done)
                     (merge-with + sum (<! (burst trace nonce (* done n) n starts))))))))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)
        times (process/integer program "bursts" 1)
        idle (process/integer program "idle_ms" 0)
        starts (long-array (* n times))]
    (go
      (<! (process/once program #(bursts program n times idle starts)))
      (process/series program "start" starts)
      :done)))

(defn -main [& words]
  (process/run words "burst" ["n" "bursts" "idle_ms"] measure))
