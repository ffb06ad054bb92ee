;; The harness, and the programs as processes: guile harness.scm FOLDER, of what was compiled.
(use-modules (ice-9 match) (ice-9 popen) (ice-9 regex) (ice-9 textual-ports) (srfi srfi-1) (srfi srfi-64))

(set! %load-path (cons (getcwd) %load-path))
(define folder (canonicalize-path (cadr (command-line))))
(setenv "COROBENCH_RUNTIME" "test")

(define parse-arguments (@ (harness arguments) parse-arguments))
(define write-json (@ (harness json) write-json))

;; The values of all keys, or what is wrong.
(define (parsed words)
  (catch 'usage
    (lambda ()
      (parse-arguments (string-split words #\space) '((n . 1) (phase "base" "spawn") (count . flag))))
    (lambda (_ text)
      text)))

;; The Guile that runs this one, and the programs as the runtime's manifest starts them; `input` is what they read.
(define guile (readlink "/proc/self/exe"))

(define (quoted words)
  (string-join (map (lambda (word) (string-append "'" word "'")) words)))

;; Status and output of a program, errors included.
(define* (program name words #:optional (input ""))
  (let* ((module (match name ('failing "(test failing)") (_ (format #f "(prompt ~a)" name))))
         (command (quoted `(,guile "-L" "." "-C" ,folder "-e" ,module "-c" "#t" ,@words)))
         (pipe (open-input-pipe (format #f "printf '~a' | ~a 2>&1" input command)))
         (said (get-string-all pipe)))
    (cons (status:exit-val (close-pipe pipe)) said)))

;; What stands in the group of a pattern at each of its places.
(define (found pattern said)
  (map (lambda (match) (match:substring match 1)) (list-matches pattern said)))

(define (numbers name said)
  (map string->number (found (string-append "\"" name "\":([0-9]+)") said)))

(define (count-lines type said)
  (count (lambda (line) (string-contains line (string-append "\"type\":\"" type "\"")))
         (string-split said #\newline)))

(define (samples said)
  (length (string-split (first (found "\"values\":\\[([0-9,]*)\\]" said)) #\,)))

;; Tells of what fails; the library's own runner leaves a file behind.
(define runner (test-runner-null))
(test-runner-on-test-end!
 runner
 (lambda (runner)
   (unless (test-passed? runner)
     (format (current-error-port) "FAILED ~a\n  expected ~s\n  got ~s\n" (test-runner-test-name runner)
             (test-result-ref runner 'expected-value) (test-result-ref runner 'actual-value)))))
(test-runner-current runner)

(test-begin "harness")

(test-equal "values and defaults"
  '("spawn" 7 1 0 0 0 0)
  (let ((values (parsed "phase=spawn n=7")))
    (map (lambda (key) (assq-ref values key)) '(phase n iterations min_warm_ms trace nonce count))))

(for-each
 (match-lambda
   ((words message) (test-equal words message (parsed words))))
 '(("nonce=-1" "nonce=-1 must be an integer of at least 0")
   ("phase=base" "n is missing")
   ("n" "\"n\" is not key=value")
   ("n=1 n=2" "n is given twice")
   ("m=1" "unknown key m")
   ("n=" "n= must be an integer of at least 1")
   ("n=0" "n=0 must be an integer of at least 1")
   ("n=1.5" "n=1.5 must be an integer of at least 1")
   ("n=1e3" "n=1e3 must be an integer of at least 1")
   ("trace=2" "trace=2 must be 0 or 1")
   ("phase=x" "phase=x must be one of base, spawn")))

(test-equal "JSON is nested"
  "{\"list\":[1,true,\"a\"],\"none\":{}}"
  (with-output-to-string (lambda () (write-json '((list . #(1 #t a)) (none))))))

(test-equal "a program iterates as often as asked"
  '(10 10 10 10 10 10 10)
  (numbers "created" (cdr (program 'spawn '("n=10" "iterations=7")))))

(test-equal "a program never iterates more than 10,000 times"
  10000
  (count-lines "iteration" (cdr (program 'baseline '("n=1" "min_warm_ms=600000")))))

;; What the checksum has of the nonce, and what beside it.
(for-each
 (match-lambda
   ((name words share rest)
    (test-equal (format #f "results of ~a contain the nonce, which rises by one with each iteration" name)
      (map (lambda (index) (+ (* share (+ 1000000 index)) rest)) (iota 3))
      (numbers "checksum" (cdr (program name `(,@words "nonce=1000000" "iterations=3")))))))
 '((baseline ("n=10") 10 45)
   (spawn ("n=10") 10 45)
   (spawn-chain ("n=10") 10 45)
   (tree ("n=10") 10 45)
   (fan-in ("p=2" "m=5") 10 15)
   (channel ("p=2" "c=3" "b=4" "m=5") 10 45)
   (hand-off ("m=5") 1 10)
   (ring ("k=3" "rounds=5") 1 15)
   (switch ("k=3" "m=10") 3 30)
   (sleep-zero ("k=3" "m=5") 3 15)
   (generator ("n=5") 1 5)))

(for-each
 (match-lambda
   ((name first)
    (test-equal (format #f "tasks of ~a are numbered from the nonce on, in a trace as well" name)
      (list first)
      (map string->number
           (found "\"run\",([0-9]+)," (cdr (program name '("n=1" "nonce=1000000" "trace=1"))))))))
 '((spawn 1000000) (spawn-chain 1000000) (tree 0)))

(test-equal "tasks take turns"
  '("0" "1" "2" "0" "1" "2")
  (found "\"run\",([0-9])," (cdr (program 'switch '("k=3" "m=2" "trace=1")))))

(test-equal "a channel shares out all messages"
  '((2) (50) (50))
  (let ((said (cdr (program 'channel '("p=1" "c=1" "b=4" "m=50")))))
    (map (lambda (name) (numbers name said)) '("finished" "messages" "most"))))

(test-equal "a task that is cancelled cleans up, and is joined"
  '((10 10 10) (10 10 10) (10 10 10))
  (let ((said (cdr (program 'cancel '("n=10" "iterations=3") "\\n\\n"))))
    (map (lambda (name) (numbers name said)) '("created" "cancelled" "finished"))))

(test-equal "tasks are cancelled while others yield"
  '((10 10) (10 10) (10 10) (3 3))
  (let ((said (cdr (program 'cancel-loaded '("n=10" "k=3" "iterations=2")))))
    (map (lambda (name) (numbers name said)) '("created" "cancelled" "finished" "active"))))

(test-equal "a byte goes to and fro"
  '(40 40 40)
  (numbers "messages" (cdr (program 'io-switch '("m=20" "iterations=3")))))

(for-each
 (match-lambda
   ((name words count)
    (test-equal (format #f "samples of ~a are in a series" name) count (samples (cdr (program name words))))))
 '((timers ("n=5" "lead=1") 5)
   (ticker ("k=3" "ticks=7" "period_us=1000") 7)
   (burst ("n=5" "bursts=2" "idle_ms=1") 10)))

(test-equal "memory holds at every point"
  '((0 30 30 0 0) (30000435))
  (let ((said (cdr (program 'memory-state '("n=30" "nonce=1000000") "\\n\\n\\n\\n\\n"))))
    (list (numbers "units" said) (numbers "checksum" said))))

(test-assert "a program ends with its runner"
  (match (program 'memory '("n=30"))
    ((status . said) (and (= status 1) (string-contains said "stdin ended at the hold base")))))

(for-each
 (lambda (mode)
   (test-equal (string-append mode ": a start says nothing unless asked") '(0 . "") (program 'startup (list mode))))
 '("mode=bare" "mode=first-task"))

(test-equal "a wrong command line ends with 2" '(2 . "usage: n is missing\n") (program 'spawn '()))
(test-equal "a tree has a power of ten leaves" 2 (car (program 'tree '("n=20"))))

(test-assert "a task that fails ends with 1"
  (match (program 'failing '())
    ((status . said) (and (= status 1) (string-contains said "planted") (zero? (count-lines "end" said))))))

(test-end "harness")
(format #t "~a passed, ~a failed\n" (test-runner-pass-count runner) (test-runner-fail-count runner))
(exit (zero? (test-runner-fail-count runner)))
