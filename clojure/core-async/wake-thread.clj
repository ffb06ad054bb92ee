(ns programs.wake-thread
  "Wake-up from a thread: a plain thread and a task pass a token to and fro, m times each."
  (:gen-class)
  (:require [clojure.core.async :refer [<! <!! >! >!! chan go thread]]
            [corobench.process :as process]
            [corobench.tasks :refer [record recording-task]]))

(defn- ended
  "How often the thread or the task received the token, and the thread on which it has ended."
  [trace i received]
  (record trace :done i)
  {:received received, :thread (.threadId (Thread/currentThread))})

(defn- start-thread [trace m inbox outbox arrivals]
  (record trace :spawn 0)
  (let [plain (thread
                (>!! arrivals 0)
                (loop [received 0]
                  (if (= received m)
                    (ended trace 0 received)
                    (let [token (<!! inbox)]
                      (record trace :run 0)
                      (>!! outbox (inc token))
                      (recur (inc received))))))]
    (record trace :spawned 0)
    plain))

(defn- start-task [trace m inbox outbox arrivals]
  (recording-task trace 1
    (>! arrivals 1)
    (loop [received 0]
      (if (= received m)
        (ended trace 1 received)
        (let [token (<! inbox)]
          (record trace :run 1)
          (>! outbox (inc token))
          (recur (inc received)))))))

(defn- prepare
  "Both are about to wait for the token."
  [trace m]
  (let [to-thread (chan 1)
        to-task (chan 1)
        arrivals (chan 2)
        plain (start-thread trace m to-thread to-task arrivals)
        task (start-task trace m to-task to-thread arrivals)]
    (go
      (<! arrivals)
      (<! arrivals)
      {:to-thread to-thread, :plain plain, :task task})))

(defn- pass [{:keys [to-thread plain task]} nonce]
  (go
    (>! to-thread nonce)
    (let [of-task (<! task)
          of-thread (<! plain)
          both [of-task of-thread]
          token (<! to-thread)]
      (process/outcome (:received of-task)
                       {:finished (count both)
                        :messages (reduce + (map :received both))
                        :threads (count (distinct (map :thread both)))
                        :checksum token}))))

(defn- measure [program]
  (let [m (process/integer program "m" 1)]
    (process/repeat-after program
                          #(prepare (process/trace program) m)
                          #(pass % (process/nonce program)))))

(defn -main [& words]
  (process/run words "wake-thread" ["m"] measure))
