(ns programs.ring
  "Ring: a token goes round k tasks."
  (:gen-class)
  (:require [corobench.circle :as circle]
            [corobench.process :as process]))

(defn- measure [program]
  (let [k (process/integer program "k" 1)
        rounds (process/integer program "rounds" 1)]
    (process/repeat-after program
                          #(circle/prepare (process/trace program) k rounds)
                          #(circle/pass % (process/nonce program)))))

(defn -main [& words]
  (process/run words "ring" ["k" "rounds"] measure))
