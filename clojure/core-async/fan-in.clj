(ns programs.fan-in
  "Fan-in: several producers send to one consumer through a channel with room for 128."
  (:gen-class)
  (:require [clojure.core.async :refer [<! >! chan go]]
            [corobench.process :as process]
            [corobench.tasks :refer [join task]]))

(def ^:private room 128)

(defn- produce
  "Returns how many messages it sent."
  [trace i queue value m]
  (task trace i
    (loop [sent 0]
      (if (= sent m)
        sent
        (do (>! queue value)
            (recur (inc sent)))))))

(defn- consume
  "Returns how many messages it received, and their sum."
  [trace i queue messages]
  (task trace i
    (loop [received 0
           sum 0]
      (if (= received messages)
        {:messages received, :checksum sum}
        (let [message (<! queue)]
          (recur (inc received) (+ sum message)))))))

(defn- fan-in [program p m]
  (let [trace (process/trace program)
        nonce (process/nonce program)
        queue (chan room)]
    (go
      (let [producers (mapv #(produce trace % queue (+ nonce % 1) m) (range p))
            consumer (consume trace p queue (* p m))
            finished (:finished (<! (join producers)))
            received (<! consumer)]
        (process/outcome (:messages received) (assoc received :finished (inc finished)))))))

(defn- measure [program]
  (let [p (process/integer program "p" 1)
        m (process/integer program "m" 1)]
    (process/repeat program #(fan-in program p m))))

(defn -main [& words]
  (process/run words "fan-in" ["p" "m"] measure))
