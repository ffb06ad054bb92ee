;; What no compiler looks at: clojure.main lint.clj FILE...
;; (No linter or formatter of Clojure's is at Maven Central.)

(require '[clojure.java.io :as io]
         '[clojure.string :as str])
(import '(java.util.regex Pattern))

(def most-columns 110)

(defn lines-at-fault [text]
  (for [[number line] (map-indexed vector (str/split text #"\n" -1))
        [fault pattern] {"a tab" #"\t"
                         "white space at the end" #"\s$"
                         "a closing bracket at the beginning" #"^\s*[\])}]"
                         "a line that is too long" (re-pattern (str ".{" (inc most-columns) ",}"))}
        :when (re-find pattern line)]
    (str (inc number) ": " fault)))

;; A line begins where its bracket has its first element, where a list has its second, or two columns
;; from where a list begins: as the style guide of the community has it.

(def token
  "A character, a string, a comment, a bracket, what stands between, or white space."
  #"\\(?:[a-z]+|.)|\"(?:[^\"\\]|\\.)*\"|;[^\n]*|[()\[\]{}]|[^\s()\[\]{}\";\\]+|\n *|[ ,]+")

(defn columns
  "Where a line may begin inside of the innermost bracket."
  [[{:keys [bracket column second-element]}]]
  (case bracket
    nil #{0}
    "(" (disj #{(inc column) (+ 2 column) second-element} nil)
    #{(inc column)}))

(defn with-element
  "The open brackets, when the innermost has got one element more on its first line."
  [[innermost & others :as brackets] line column]
  (if (= line (:line innermost))
    (let [elements (inc (:elements innermost))]
      (cons (cond-> (assoc innermost :elements elements)
              (= elements 2) (assoc :second-element column))
            others))
    brackets))

(defn indents-at-fault [text]
  (loop [tokens (re-seq token text)
         line 1
         column 0
         fresh? true
         brackets nil
         found []]
    (if-let [[now & later] (seq tokens)]
      (let [closing? (#{")" "]" "}"} now)
            space? (re-matches #"[ ,]+" now)
            found (if (and fresh? (not space?) (not (str/starts-with? now "\n"))
                           (not ((columns brackets) column)))
                    (conj found (str line ": indented by " column ", not by "
                                     (str/join " or " (sort (columns brackets)))))
                    found)
            brackets (if (or closing? space? (re-find #"^[\n;]" now))
                       brackets
                       (with-element brackets line column))]
        (cond
          (str/starts-with? now "\n") (recur later (inc line) (dec (count now)) true brackets found)
          (#{"(" "[" "{"} now) (recur later line (inc column) false
                                      (cons {:bracket now, :line line, :column column, :elements 0} brackets)
                                      found)
          closing? (recur later line (inc column) false (rest brackets) found)
          :else (recur later
                       (+ line (count (filter #{\newline} now)))
                       (+ column (count now))
                       (and fresh? space?)
                       brackets
                       found)))
      found)))

(defn names-of-clause
  "The names that a clause of `ns` brings."
  [[kind & specs]]
  (mapcat (fn [spec]
            (case kind
              :require (let [{:keys [as refer]} (apply hash-map (rest spec))]
                         (cond->> refer as (cons (str as "/"))))
              :import (rest spec)
              nil))
          (filter sequential? specs)))

(defn used? [body brought]
  (re-find (re-pattern (str "(?<![\\w-])" (Pattern/quote brought) "(?!!)")) body))

(defn unused [text]
  (let [form (read-string text)]
    (when (= (first form) 'ns)
      (let [body (subs text (str/index-of text "\n\n"))]
        (for [brought (map str (mapcat names-of-clause (filter seq? form)))
              :when (not (used? body brought))]
          (str "1: " brought " is not used"))))))

(defn faults [file]
  (let [text (slurp file)]
    (concat (lines-at-fault text)
            (indents-at-fault text)
            (unused text)
            (when (str/includes? text "\n\n\n") ["1: two empty lines"])
            (when-not (re-find #"[^\n]\n\z" text) ["1: it must end with one line feed"]))))

(let [found (for [file *command-line-args*
                  fault (faults (io/file file))]
              (str file ":" fault))]
  (run! println found)
  (System/exit (if (empty? found) 0 1)))
