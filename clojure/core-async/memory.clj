(ns programs.memory
  "Memory: n tasks are parked that hold nothing but their number."
  (:gen-class)
  (:require [clojure.core.async :refer [<!]]
            [corobench.parking :as parking]
            [corobench.tasks :refer [task]]))

(defn- start [{:keys [trace] :as parking} i]
  (task trace i
    (<! (parking/arrive parking i))
    (parking/leave parking)
    i))

(defn -main [& words]
  (parking/park words "memory" start))
