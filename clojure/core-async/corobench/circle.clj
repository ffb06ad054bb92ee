(ns corobench.circle
  "Tasks that stand in a ring of channels with room for one and pass a token: hand-off and ring."
  (:require [clojure.core.async :refer [<! >! chan go]]
            [corobench.process :as process]
            [corobench.tasks :refer [join record resuming-task]]))

(defn- play
  "Receives the token, adds one and sends it on. Returns how often it had it."
  [trace i inbox outbox rounds arrivals]
  (resuming-task trace i
    (>! arrivals i)
    (loop [received 0]
      (if (= received rounds)
        received
        (let [token (<! inbox)]
          (record trace :run i)
          (>! outbox (inc token))
          (recur (inc received)))))))

(defn prepare
  "A channel of the channels and the players, all k of which are about to wait for the token."
  [trace k rounds]
  (let [channels (vec (repeatedly k #(chan 1)))
        arrivals (chan k)
        players (mapv #(play trace % (channels %) (channels (mod (inc %) k)) rounds arrivals)
                      (range k))]
    (go
      (dotimes [_ k]
        (<! arrivals))
      {:channels channels, :players players})))

(defn pass
  "Passes the token round. It comes back from the last task, which had it once more than it told
  the first."
  [{:keys [channels players]} nonce]
  (go
    (let [gate (first channels)]
      (>! gate nonce)
      (let [{:keys [finished checksum]} (<! (join players))]
        (process/outcome checksum
                         {:finished finished, :messages checksum, :checksum (<! gate)})))))
