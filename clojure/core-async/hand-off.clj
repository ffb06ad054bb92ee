(ns programs.hand-off
  "Hand-off: two tasks pass a token to and fro, m times each. A ring of two."
  (:gen-class)
  (:require [corobench.circle :as circle]
            [corobench.process :as process]))

(defn- measure [program]
  (let [m (process/integer program "m" 1)]
    (process/repeat-after program
                          #(circle/prepare (process/trace program) 2 m)
                          #(circle/pass % (process/nonce program)))))

(defn -main [& words]
  (process/run words "hand-off" ["m"] measure))
