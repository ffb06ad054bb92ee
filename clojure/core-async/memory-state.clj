(ns programs.memory-state
  "Memory with state: n tasks are parked, each eight calls deep with 1 KiB of its own."
  (:gen-class)
  (:require [clojure.core.async :refer [<! go]]
            [corobench.parking :as parking]
            [corobench.tasks :refer [task]]))

(def ^:private depth 8)
(def ^:private size 1024)
(def ^:private values 251)

(defn- filled [value]
  (byte-array size (unchecked-byte value)))

(defn- last-of [^bytes state]
  (bit-and (aget state (dec (alength state))) 0xff))

(defn- descend
  "A go block parks in no function that it calls: a call that can wait is a go block of its own."
  [parking i level]
  (go
    (if (< level depth)
      (inc (<! (descend parking i (inc level))))
      (let [value (mod i values)
            state (filled value)]
        (<! (parking/arrive parking i))
        (parking/leave parking)
        (+ (- 1 depth) (- i value) (last-of state))))))

(defn- start [{:keys [trace] :as parking} i]
  (task trace i
    (<! (descend parking i 1))))

(defn -main [& words]
  (parking/park words "memory-state" start))
