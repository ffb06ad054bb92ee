(ns programs.timers
  "Timers: n tasks sleep once, each until a deadline of its own within one second."
  (:gen-class)
  (:require [clojure.core.async :refer [<! go timeout]]
            [corobench.process :as process]
            [corobench.tasks :refer [join task]]))

(def ^:private millisecond 1000000)
(def ^:private spread (* 1000 millisecond))

(defn- milliseconds-until
  "What is left, rounded up: `timeout` takes whole milliseconds."
  [deadline]
  (quot (+ (max 0 (- deadline (System/nanoTime))) (dec millisecond)) millisecond))

(defn- sleep-until
  "Returns its number, and how many nanoseconds after its deadline it went on."
  [trace i deadline]
  (task trace i
    (<! (timeout (milliseconds-until deadline)))
    [i (- (System/nanoTime) deadline)]))

(defn- keep-late [^longs lates [i late]]
  (aset lates i (long late))
  i)

(defn- sleep
  "How late the tasks are is put into an array."
  [trace n lead lates]
  (go
    (let [start (+ (System/nanoTime) (* lead millisecond))
          tasks (mapv #(sleep-until trace % (+ start (quot (* % spread) n))) (range n))
          created (count tasks)
          joined (<! (join #(keep-late lates %) tasks))]
      (process/outcome (:finished joined)
                       (assoc joined
                              :created created
                              :early (count (filter #(< % (- millisecond)) lates)))))))

(defn- measure [program]
  (let [n (process/integer program "n" 1)
        lead (process/integer program "lead" 0)
        lates (long-array n)]
    (go
      (<! (process/once program #(sleep (process/trace program) n lead lates)))
      (process/series program "lateness" (map #(max 0 %) lates))
      :done)))

(defn -main [& words]
  (process/run words "timers" ["n" "lead"] measure))
