(ns corobench.tasks
  "Starts go blocks, records who runs when, and joins them."
  (:require [clojure.core.async :refer [<! chan go go-loop]])
  (:import (harness Trace)))

(defn on?
  "Whether anything is recorded."
  [^Trace trace]
  (.on trace))

(defn record
  "Records what task i does. Does nothing if no trace was asked for."
  [^Trace trace event i]
  (when (.on trace)
    (case event
      :spawn (.spawn trace i)
      :spawned (.spawned trace i)
      :run (.run trace i)
      :park (.park trace i)
      :open (.open trace i)
      :fail (.fail trace i)
      :close (.close trace i)
      :done (.done trace i)
      :collect (.collect trace i))))

(defn- go-block
  "Without a trace a task is the go block that a user would write. In a trace `binding` gives it a
  frame of bindings of its own: that is its identity. It stands outside, since a go block that makes
  a frame and parks may be resumed by another thread before it has stored it.
  `trace` and `i` are names, for they stand here several times."
  [trace i traced body]
  `(if (on? ~trace)
     (do (record ~trace :spawn ~i)
         (let [task# (binding [] (go ~@traced))]
           (record ~trace :spawned ~i)
           task#))
     (go ~@body)))

(defn- ending [trace i body]
  `(let [result# (do ~@body)]
     (record ~trace :done ~i)
     result#))

(defmacro task
  "Starts task i, which is recorded from its first statement to its last."
  [trace i & body]
  (go-block trace i `((record ~trace :run ~i) ~(ending trace i body)) body))

(defmacro resuming-task
  "Starts task i, which records by itself when it is resumed."
  [trace i & body]
  (go-block trace i [(ending trace i body)] body))

(defmacro recording-task
  "Starts task i, which records by itself all but its start."
  [trace i & body]
  (go-block trace i body body))

(defn collecting
  "Records that the result of a task was received: its number, which it returns. For `join`."
  [trace]
  (fn [i]
    (record trace :collect i)
    i))

(defn join
  "A channel of how many tasks there were, and of the sum of what f makes of each one's result."
  ([tasks]
   (join identity tasks))
  ([f tasks]
   (go-loop [tasks (seq tasks)
             finished 0
             checksum 0]
     (if tasks
       (if-some [result (<! (first tasks))]
         (recur (next tasks) (inc finished) (+ checksum (f result)))
         ;; The task has failed. Its error is on the way to the handler, which ends the process.
         (<! (chan)))
       {:finished finished, :checksum checksum}))))
