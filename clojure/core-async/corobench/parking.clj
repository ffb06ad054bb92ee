(ns corobench.parking
  "Parks n tasks at one gate, and holds the process still before, while and after they live."
  (:require [clojure.core.async :refer [<! chan close! go mult tap]]
            [corobench.process :as process]
            [corobench.tasks :refer [join record]]))

(defn arrive
  "The channel at which task i waits for the gate: a tap of its own, because one channel holds no
  more than 1,024 that wait."
  [{:keys [trace gate parked]} i]
  (record trace :park i)
  (swap! parked inc)
  (tap gate (chan)))

(defn leave
  "Says that a task no longer waits."
  [{:keys [parked]}]
  (swap! parked dec))

(defn- live
  "Starts the tasks, lets them go when they have been looked at, and joins them. It is a go block of
  its own, so that nothing holds them any more when it has ended."
  [program n parked start]
  (go
    (let [door (chan)
          parking {:trace (process/trace program), :gate (mult door), :parked parked}
          nonce (process/nonce program)
          tasks (mapv #(start parking %) (range nonce (+ nonce n)))
          created (count tasks)]
      (<! (process/until #(= @parked n)))
      (process/hold program "live" @parked)
      (System/gc)
      (process/hold program "live-collected" @parked)
      (close! door)
      (assoc (<! (join tasks)) :created created))))

(defn- measure [program n start]
  (let [parked (atom 0)]
    (go
      (process/hold program "base" @parked)
      (let [joined (<! (live program n parked start))]
        (process/hold program "released" @parked)
        (System/gc)
        (process/hold program "released-collected" @parked)
        (process/outcome (:finished joined) joined)))))

(defn park
  "The whole program of a memory workload. `start` starts a task, which arrives once, waits, leaves,
  and returns its number."
  [words workload start]
  (process/run words workload ["n"]
               (fn [program]
                 (let [n (process/integer program "n" 1)]
                   (process/once program #(measure program n start))))))
