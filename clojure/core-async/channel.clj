(ns programs.channel
  "Channel: several producers send to several consumers, which share one channel with room for b."
  (:gen-class)
  (:require [clojure.core.async :refer [<! >! chan close! go]]
            [corobench.process :as process]
            [corobench.tasks :refer [join record task]]))

(defn- produce
  "Sends m messages, the first of which is `value`, and returns how many there were."
  [trace i queue value m]
  (task trace i
    (loop [sent 0]
      (if (= sent m)
        sent
        (do (>! queue (+ value sent))
            (record trace :run i)
            (recur (inc sent)))))))

(defn- consume
  "Receives until the channel is closed and empty. Returns how many messages came, and their sum."
  [trace i queue]
  (task trace i
    (loop [messages 0
           sum 0]
      (if-some [message (<! queue)]
        (do (record trace :run i)
            (recur (inc messages) (+ sum message)))
        {:messages messages, :sum sum}))))

(defn- consumed
  "What several consumers made of it, on a channel."
  [consumers]
  (go
    (loop [consumers (seq consumers)
           finished 0
           messages 0
           most 0
           checksum 0]
      (if consumers
        (let [received (<! (first consumers))]
          (recur (next consumers)
                 (inc finished)
                 (+ messages (:messages received))
                 (max most (:messages received))
                 (+ checksum (:sum received))))
        {:finished finished, :messages messages, :most most, :checksum checksum}))))

(defn- send-all [program p c b m]
  (let [trace (process/trace program)
        nonce (process/nonce program)
        queue (chan b)]
    (go
      (let [producers (mapv #(produce trace % queue (+ nonce (* % m)) m) (range p))
            consumers (mapv #(consume trace % queue) (range p (+ p c)))
            finished (:finished (<! (join producers)))]
        (close! queue)
        (let [received (<! (consumed consumers))]
          (process/outcome (:messages received) (update received :finished + finished)))))))

(defn- measure [program]
  (let [p (process/integer program "p" 1)
        c (process/integer program "c" 1)
        b (process/integer program "b" 1)
        m (process/integer program "m" 1)]
    (process/repeat program #(send-all program p c b m))))

(defn -main [& words]
  (process/run words "channel" ["p" "c" "b" "m"] measure))
