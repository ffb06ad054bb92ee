(ns planted
  "A planted fault: a task fails while the root waits for it, or for something else."
  (:require [clojure.core.async :refer [<! chan go timeout]]
            [corobench.process :as process]
            [corobench.tasks :refer [join task]]))

(defn- start [trace]
  (task trace 0
    (<! (timeout 1))
    (throw (IllegalStateException. "planted"))))

(defn- measure [mode program]
  (let [failing (start (process/trace program))]
    (go
      (case mode
        "joined" (<! (join [failing]))
        "left" (<! (chan))))))

(defn -main [mode & words]
  (process/run words "planted" [] (partial measure mode)))
