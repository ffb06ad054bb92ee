(ns programs.scope
  "Scope: of n children one fails, the others are told to stop, and the error is caught when all have
  ended. core.async has no scopes: the error is a value on a channel."
  (:gen-class)
  (:require [clojure.core.async :refer [<! >! chan close! go promise-chan put!]]
            [corobench.process :as process]
            [corobench.stoppable :as stoppable]
            [corobench.tasks :refer [join record recording-task]])
  (:import (clojure.lang ExceptionInfo)))

(defn- fail
  "Starts a task that waits until its siblings wait. Its error goes to whoever has opened the scope. It
  was not stopped, and returns 0."
  [trace i value siblings arrivals errors]
  (recording-task trace i
    (record trace :run i)
    (try
      (dotimes [_ siblings]
        (<! arrivals))
      (record trace :fail i)
      (throw (ex-info "one child fails" {:value value}))
      (catch ExceptionInfo error
        (>! errors error)
        0))))

(defn- open
  "Runs n children, numbered from `from` on. A channel of the first error, and of what was counted when
  all have ended."
  [trace from n value]
  (let [stop (chan)
        errors (promise-chan)
        siblings (dec n)
        arrivals (chan n)
        cleaned (atom 0)
        end (+ from siblings)]
    (go
      (let [waiting (mapv #(stoppable/start trace % stop (fn [] (put! arrivals :waits)) cleaned)
                          (range from end))
            children (conj waiting (fail trace end value siblings arrivals errors))
            error (<! errors)]
        (close! stop)
        (let [joined (<! (join children))]
          {:error error
           :counts {:created (:finished joined)
                    :cancelled (:checksum joined)
                    :cleaned @cleaned}})))))

(defn- caught
  "What was counted of a scope, and of the error that it ends with."
  [{:keys [error counts]}]
  (try
    (throw error)
    (catch ExceptionInfo failure
      (assoc counts :failed 1 :checksum (:value (ex-data failure))))))

(defn- scopes
  "Opens and closes m scopes, one after the other."
  [program n m]
  (let [trace (process/trace program)
        nonce (process/nonce program)]
    (go
      (loop [i 0
             sum {}]
        (if (= i m)
          (process/outcome (+ (:cleaned sum) (:failed sum)) sum)
          (do (record trace :open i)
              (let [counts (caught (<! (open trace (* i n) n (+ nonce i))))]
                (record trace :close i)
                (recur (inc i) (merge-with + sum counts)))))))))

(defn- measure [program]
  (let [n (process/integer program "n" 2)
        m (process/integer program "m" 1)]
    (process/repeat program #(scopes program n m))))

(defn -main [& words]
  (process/run words "scope" ["n" "m"] measure))
