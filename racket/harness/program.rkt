#lang racket/base

;; One process: its arguments, its threads, the lines that it owes the runner, and the loop that times its operation.

(require ffi/unsafe/vm
         json
         "arguments.rkt"
         "update.rkt")

(provide run
         argument
         nonce
         usage
         clock
         record
         start
         start-next
         result-of
         yield-until
         lap
         repeat
         hold
         hold-twice
         series)

(define most-iterations 10000)
(define ms 1000000)

;; `trace` is a box of events, the last one first, or #f; `started` and `cpu-started` are when the iteration under way began.
(struct program (workload arguments trace numbers [lines #:mutable] [done #:mutable] [started #:mutable] [cpu-started #:mutable])
  #:authentic)

;; Racket itself tells the time of a process in whole milliseconds only, Chez Scheme below it in nanoseconds.
(define current-time (vm-primitive 'current-time))
(define time-second (vm-primitive 'time-second))
(define time-nanosecond (vm-primitive 'time-nanosecond))

(define (nanoseconds type)
  (define now (current-time type))
  (+ (* (time-second now) 1000000000) (time-nanosecond now)))

;; The monotonic clock in nanoseconds.
(define (clock)
  (nanoseconds 'time-monotonic))

;; User and system time of the process in nanoseconds.
(define (cpu)
  (nanoseconds 'time-process))

(define (write-line line)
  (write-json line)
  (newline))

(define main-thread (current-thread))

;; An error would end its own thread alone.
(define (fail raised)
  ((error-display-handler) (if (exn? raised) (exn-message raised) (format "~s was raised" raised)) raised)
  (exit 1))

(define (refuse wrong)
  (eprintf "usage: ~a\n" (exn-message wrong))
  (exit 2))

;; Runs a workload to its last line: `main` gets the program. What goes wrong ends the process, with 2 for a wrong command line.
(define (run workload rules main #:flags [flags '()])
  (uncaught-exception-handler fail)
  (with-handlers ([exn:usage? refuse])
    (define arguments (parse (vector->list (current-command-line-arguments)) rules flags))
    (define trace (and (= (hash-ref arguments 'trace) 1) (box '())))
    (define self (program workload arguments trace (box -1) '() 0 0 0))
    (write-line (hello self rules))
    (main self)
    (for ([line (in-list (reverse (program-lines self)))])
      (write-line line))
    (when trace
      (write-line (hasheq 'type "trace" 'events (map told (reverse (unbox trace))))))
    (write-line (hasheq 'type "end"))
    (flush-output)))

(define (hello self rules)
  (hasheq 'type "hello"
          'protocol 1
          'runtime (or (getenv "COROBENCH_RUNTIME") (usage "COROBENCH_RUNTIME is not set"))
          'version (version)
          'language_version (version)
          'workload (program-workload self)
          'params (for/hasheq ([key (in-hash-keys rules)])
                    (values key (argument self key)))
          'settings (hasheq 'vm (symbol->string (system-type 'vm))
                            'unsafe (variable-reference-from-unsafe? (#%variable-reference)))))

(define (argument self key)
  (hash-ref (program-arguments self) key))

;; The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
(define (nonce self)
  (+ (argument self 'nonce) (program-done self)))

;; Records who runs when, where a trace was asked for. The events hold what ran until the end, so that no identity is given anew.
(define (record self kind i [unit (current-thread)])
  (define trace (program-trace self))
  (when trace
    (update! trace (λ (events) (cons (list kind i unit) events)))))

;; An event for the runner: the identity of what ran is its hash code, which the virtual machine gives it.
(define (told event)
  (define unit (caddr event))
  (list (car event)
        (cadr event)
        (if (eq? unit main-thread) "main" (format "~a-~a" (if (thread? unit) "thread" "generator") (eq-hash-code unit)))))

;; Starts a thread for task i. One that `resumes` records by itself when it runs.
(define (start self i body #:resumes [resumes? #f])
  (cond
    [(program-trace self)
     (record self "spawn" i)
     (begin0
       (thread (λ ()
                 (unless resumes?
                   (record self "run" i))
                 (body)
                 (record self "done" i)))
       (record self "spawned" i))]
    [else (thread body)]))

;; The same for a task that others than the root start: its number is the next.
(define (start-next self body)
  (start self (if (program-trace self) (increment! (program-numbers self)) 0) body))

;; Waits for a thread, and takes what it has left at its place among the results: threads return nothing.
(define (result-of thread results place)
  (thread-wait thread)
  (or (vector-ref results place) (error "a thread has left no result")))

(define (yield-until done?)
  (unless (done?)
    (sleep)
    (yield-until done?)))

;; The nanoseconds that an iteration took. The operation returns its operations and its evidence.
(define (lap self operation . prepared)
  (set-program-cpu-started! self (cpu))
  (set-program-started! self (clock))
  (define-values (ops evidence) (apply operation prepared))
  (define elapsed (- (clock) (program-started self)))
  (define cpu-ns (- (cpu) (program-cpu-started self)))
  (define index (program-done self))
  (add-line! self (hasheq 'type "iteration" 'index index 'elapsed_ns elapsed 'cpu_ns cpu-ns 'ops ops 'evidence evidence))
  (set-program-done! self (add1 index))
  elapsed)

;; Times the operation until that is enough. What `prepare` returns before each time is handed to it, and then to `finish`, untimed.
(define (repeat self operation #:prepare [prepare #f] #:finish [finish void])
  (define warm-ns (* (argument self 'min_warm_ms) ms))
  (let again ([warm 0])
    (define prepared (if prepare (list (prepare)) '()))
    (define elapsed (apply lap self operation prepared))
    (apply finish prepared)
    (define done (program-done self))
    (define warmed (if (> done 1) (+ warm elapsed) 0))
    (unless (or (program-trace self)
                (>= done most-iterations)
                (and (>= done (argument self 'iterations)) (>= warmed warm-ns)))
      (again warmed))))

;; Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration
;; that is under way.
(define (hold self point units)
  (define cpu-before (cpu))
  (define before (clock))
  (record self "hold" -1)
  (write-line (hasheq 'type "hold" 'point point 'units units))
  (flush-output)
  (when (eof-object? (read-line))
    (error (format "stdin ended at the hold ~a: the runner is gone" point)))
  (set-program-started! self (+ (program-started self) (- (clock) before)))
  (set-program-cpu-started! self (+ (program-cpu-started self) (- (cpu) cpu-before))))

;; As it is, and after a forced full collection.
(define (hold-twice self point units)
  (hold self point units)
  (collect-garbage)
  (hold self (string-append point "-collected") units))

;; Raw samples in nanoseconds, in the order in which they happened.
(define (series self name values)
  (add-line! self (hasheq 'type "series" 'name name 'values values)))

(define (add-line! self line)
  (set-program-lines! self (cons line (program-lines self))))
