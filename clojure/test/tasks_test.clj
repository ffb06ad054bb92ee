(ns tasks-test
  "Who is running, and how tasks are joined."
  (:require [clojure.core.async :refer [<! <!! >! chan go timeout]]
            [clojure.test :refer [deftest is]]
            [corobench.process :as process]
            [corobench.tasks :refer [join resuming-task task]])
  (:import (harness Arguments Program)))

(defn- unit
  "What the trace would say is running."
  [units]
  (.get ^java.util.function.Supplier units))

(defn- trace [units & words]
  (process/trace (Program. "test" (Arguments. (into-array String words) [] #{}) units)))

(defn- units-of-task
  "Who it is before it waits, and after: sleeping, waiting for a task and being handed something."
  [trace units i]
  (task trace i
    (let [before (unit units)
          _ (<! (timeout 1))
          slept (unit units)
          _ (<! (go (<! (timeout 1))))
          joined (unit units)
          channel (chan)
          _ (go (>! channel i))
          _ (<! channel)]
      [before slept joined (unit units)])))

(deftest a-traced-task-keeps-an-identity-of-its-own
  (let [units (process/units)
        trace (trace units "trace=1")
        seen (mapv <!! (mapv #(units-of-task trace units %) (range 100)))]
    (is (every? #(apply = %) seen))
    (is (apply distinct? (unit units) (map first seen)))))

(deftest a-task-of-a-task-has-an-identity-of-its-own
  (let [units (process/units)
        trace (trace units "trace=1")
        start (fn [i] (resuming-task trace i (unit units)))
        [outer inner after] (<!! (task trace 0
                                   (let [outer (unit units)
                                         inner (<! (start 1))]
                                     [outer inner (unit units)])))]
    (is (= outer after))
    (is (not= outer inner))))

(deftest a-block-that-is-no-task-is-whoever-has-started-it
  (let [units (process/units)
        trace (trace units "trace=1")
        [task-unit block-unit] (<!! (task trace 0
                                      [(unit units) (<! (go (unit units)))]))]
    (is (= task-unit block-unit))
    (is (= (unit units) (<!! (go (unit units)))))))

(deftest without-a-trace-a-task-is-a-go-block
  (let [units (process/units)
        trace (trace units)]
    (is (= (unit units) (<!! (task trace 0 (unit units)))))))

(deftest joined-tasks-are-counted-and-summed
  (let [trace (trace (process/units))
        start (fn [i] (task trace i i))]
    (is (= {:finished 3, :checksum 3} (<!! (join (mapv start (range 3))))))
    (is (= {:finished 3, :checksum 6} (<!! (join inc (mapv start (range 3))))))
    (is (= {:finished 0, :checksum 0} (<!! (join []))))))
