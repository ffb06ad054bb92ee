;; Compiles the namespaces of a runtime ahead of time, with reflection as an error, and writes for each
;; program a file of arguments, which `java @file` reads:
;;   clojure.main compile.clj SOURCES CLASSES CLASS-PATH-OF-A-PROGRAM
;;
;; A program is named as in every language (hand-off.clj). `compile` would not find it: to Clojure the
;; file of the namespace hand-off is hand_off.clj.

(require '[clojure.java.io :as io]
         '[clojure.string :as str])

(defn sources [folder]
  (sort (filter #(str/ends-with? % ".clj") (map str (.listFiles (io/file folder))))))

(defn stem [source]
  (str/replace (.getName (io/file source)) ".clj" ""))

(defn compile-program [source]
  (with-open [reader (io/reader source)]
    (Compiler/compile reader (str "programs/" (munge (stem source)) ".clj") source)))

(let [[folder classes class-path] *command-line-args*
      warnings (java.io.StringWriter.)]
  (binding [*compile-files* true
            *compile-path* classes
            *warn-on-reflection* true
            *err* warnings]
    (doseq [source (sources (str folder "/corobench"))]
      (compile (symbol (str "corobench." (Compiler/demunge (stem source))))))
    (doseq [source (sources folder)]
      (compile-program source)
      (spit (str classes "/" (stem source) ".args")
            (str "-cp \"" class-path "\" programs." (munge (stem source)) "\n"))))
  (when-not (str/blank? (str warnings))
    (.print System/err (str warnings))
    (System/exit 1)))
