(ns programs.startup
  "Startup: the smallest process, or one task. Nothing is loaded before it is needed."
  (:gen-class))

(defn -main [& words]
  (case words
    ["mode=bare"] nil
    ["mode=first-task"] ((requiring-resolve 'corobench.first-task/run))
    ((requiring-resolve 'corobench.startup-report/report) words)))
