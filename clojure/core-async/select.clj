(ns programs.select
  "Select: one task waits on k channels at once, another sends through them in an order that the
  first does not know."
  (:gen-class)
  (:require [clojure.core.async :refer [<! >! alts! chan go]]
            [corobench.process :as process]
            [corobench.tasks :refer [join record resuming-task]]))

(defn- receive
  "Takes what comes, and answers after every w messages. Returns how many came through each channel,
  and the sum of all."
  [trace channels answers w m]
  (resuming-task trace 0
    (loop [received 0
           counts {}
           sum 0]
      (if (= received (* (count channels) m))
        {:counts (vals counts), :sum sum}
        (let [[message channel] (alts! channels)
              received (inc received)]
          (record trace :run 0)
          (when (zero? (rem received w))
            (>! answers received))
          (recur received (update counts channel (fnil inc 0)) (+ sum message)))))))

(defn- order
  "The channels in the order of sending. Each round visits every one once: their number is a power
  of two."
  [channels m nonce]
  (for [round (range nonce (+ nonce m))
        turn (range (count channels))]
    (channels (mod (+ round (* turn (inc (* 2 round)))) (count channels)))))

(defn- send-all
  "Returns how many messages it sent."
  [trace channels answers w m nonce]
  (resuming-task trace 1
    (loop [channels (seq (order channels m nonce))
           sent 0]
      (if channels
        (let [sent (do (>! (first channels) (+ nonce sent))
                       (inc sent))]
          (when (zero? (rem sent w))
            (<! answers)
            (record trace :run 1))
          (recur (next channels) sent))
        sent))))

(defn- pass [program k w m]
  (let [trace (process/trace program)
        channels (vec (repeatedly k #(chan 1)))
        answers (chan 1)]
    (go
      (let [receiver (receive trace channels answers w m)
            sender (send-all trace channels answers w m (process/nonce program))
            {:keys [counts sum]} (<! receiver)
            messages (reduce + counts)
            finished (:finished (<! (join [sender])))]
        (process/outcome messages
                         {:finished (inc finished)
                          :messages messages
                          :least (apply min counts)
                          :most (apply max counts)
                          :checksum sum})))))

(defn- measure [program]
  (let [k (process/integer program "k" 1)
        w (process/integer program "w" 1)
        m (process/integer program "m" 1)]
    (process/repeat program #(pass program k w m))))

(defn -main [& words]
  (process/run words "select" ["k" "w" "m"] measure))
