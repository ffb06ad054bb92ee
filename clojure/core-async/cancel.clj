(ns programs.cancel
  "Cancellation: n parked tasks are told to stop, clean up and are joined."
  (:gen-class)
  (:require [clojure.core.async :refer [<! chan close! go timeout]]
            [corobench.process :as process]
            [corobench.stoppable :as stoppable]
            [corobench.tasks :refer [join]]))

(defn- park
  "A channel of n tasks, all of which wait, and of what they wait for."
  [trace n]
  (let [parked (atom 0)
        cleaned (atom 0)
        stops (vec (repeatedly n chan))
        tasks (mapv #(stoppable/start trace % (stops %) (fn [] (swap! parked inc)) cleaned)
                    (range n))]
    (go
      (<! (process/until #(= @parked n)))
      (<! (timeout 1)) ; in which those that only gave way go on
      {:tasks tasks, :stops stops, :cleaned cleaned})))

(defn- cancel [{:keys [tasks stops cleaned]}]
  (go
    (let [waited (- (count tasks) @cleaned)]
      (run! close! stops)
      (let [stopped (:checksum (<! (join tasks)))]
        (process/outcome stopped {:created waited, :cancelled @cleaned, :finished stopped})))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)]
    (go
      (process/hold program "base" 0)
      (<! (process/repeat-after program #(park (process/trace program) n) cancel))
      (process/hold program "released" 0)
      :done)))

(defn -main [& words]
  (process/run words "cancel" ["n"] measure))
