(require '[clojure.test :as test]
         'programs-test
         'tasks-test)

(let [{:keys [fail error]} (test/run-tests 'tasks-test 'programs-test)]
  (System/exit (if (zero? (+ fail error)) 0 1)))
