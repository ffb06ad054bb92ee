(ns corobench.stoppable
  "Tasks that wait until they are told to stop. Nothing cancels a go block from outside: it waits at a
  channel beside the one that closes to tell it."
  (:require [clojure.core.async :refer [alts! chan]]
            [corobench.tasks :refer [record recording-task]]))

(defn start
  "Starts a task that calls `arrive` and waits for what never comes, at a channel of its own: one holds
  no more than 1,024 that wait. Its clean-up is counted by the atom `cleaned`. It returns 1 if it was
  stopped, and 0 if it went on otherwise."
  [trace i stop arrive cleaned]
  (recording-task trace i
    (record trace :run i)
    (try
      (arrive)
      (let [[_ channel] (alts! [(chan) stop])]
        (if (= channel stop) 1 0))
      (finally
        (swap! cleaned inc)
        (record trace :done i)))))
