#lang racket/base

;; The harness, and the programs as processes.

(require json
         racket/list
         racket/port
         racket/runtime-path
         racket/string
         rackunit
         "../harness/arguments.rkt"
         "../harness/update.rkt")

(define-runtime-path programs "..")

(define (parsed words)
  (parse (string-split words) (hasheq 'n 1 'phase '("base" "spawn")) '(count)))

;; The status of a program, what it wrote on stdout, and on stderr.
(define (ran file words [input ""])
  (define racket (find-executable-path (find-system-path 'exec-file)))
  (define-values (process out in err)
    (parameterize ([current-environment-variables (environment-variables-copy (current-environment-variables))])
      (putenv "COROBENCH_RUNTIME" "test")
      (apply subprocess #f #f #f racket (build-path programs (string-append file ".rkt")) (string-split words))))
  (write-string input in)
  (close-output-port in)
  ;; One that writes a lot must be read while it does.
  (define complaint #f)
  (define reader (thread (λ () (set! complaint (port->string err)))))
  (define said (port->string out))
  (thread-wait reader)
  (subprocess-wait process)
  (close-input-port out)
  (close-input-port err)
  (values (subprocess-status process) said complaint))

;; The lines of a program that must succeed.
(define (lines file words [input ""])
  (define-values (status said complaint) (ran file words input))
  (check-equal? status 0 complaint)
  (map string->jsexpr (string-split said "\n")))

(define (of-type type lines)
  (filter (λ (line) (equal? (hash-ref line 'type) type)) lines))

(define (evidence lines)
  (map (λ (line) (hash-ref line 'evidence)) (of-type "iteration" lines)))

(define (series lines)
  (hash-ref (first (of-type "series" lines)) 'values))

(test-case "values and defaults"
  (check-equal? (parsed "phase=spawn n=7")
                (hasheq 'phase "spawn" 'n 7 'iterations 1 'min_warm_ms 0 'trace 0 'nonce 0 'count 0))
  (check-equal? (hash-ref (parsed "n=7 phase=base count=1") 'count) 1))

(test-case "wrong command lines are refused"
  (for ([(words message) (in-hash (hash "nonce=-1" "nonce=-1 must be an integer of at least 0"
                                        "phase=base" "n is missing"
                                        "n" "\"n\" is not key=value"
                                        "n=1 n=2" "n is given twice"
                                        "m=1" "unknown key m"
                                        "n=0" "n=0 must be an integer of at least 1"
                                        "n=1.5" "n=1.5 must be an integer of at least 1"
                                        "n=#x1" "n=#x1 must be an integer of at least 1"
                                        "trace=2" "trace=2 must be 0 or 1"
                                        "phase=x" "phase=x must be one of base, spawn"))])
    (check-equal? (with-handlers ([exn:usage? exn-message]) (parsed words)) message)))

(test-case "threads that are preempted lose no update"
  (define count (box 0))
  (define threads
    (for/list ([_ (in-range 10)])
      (thread (λ ()
                (for ([_ (in-range 100000)])
                  (increment! count))))))
  (for-each thread-wait threads)
  (check-equal? (unbox count) 1000000))

(test-case "a program iterates as often as asked"
  (check-equal? (evidence (lines "thread/spawn" "n=10 iterations=7"))
                (for/list ([i (in-range 7)])
                  (hasheq 'checksum (+ 45 (* 10 i)) 'created 10 'finished 10))))

(test-case "results contain the nonce, which rises by one with each iteration"
  (define (tasks first)
    (+ (* 10 first) 45))
  (for ([(case checksum) (in-hash (hash "baseline n=10" tasks
                                        "spawn n=10" tasks
                                        "spawn-chain n=10" tasks
                                        "tree n=10" tasks
                                        "fan-in p=2 m=5" (λ (first) (* 5 (+ (* 2 first) 3)))
                                        "channel p=2 c=3 b=1 m=5" tasks
                                        "hand-off m=5" (λ (first) (+ first 10))
                                        "ring k=3 rounds=5" (λ (first) (+ first 15))
                                        "switch k=3 m=10" (λ (first) (* 3 (+ first 10)))
                                        "sleep-zero k=3 m=4" (λ (first) (* 3 (+ first 4)))
                                        "mutex k=3 m=5" (λ (first) (+ first 15))
                                        "semaphore k=5 s=2 m=4" (λ (first) (* 5 (+ first 4)))
                                        "select k=2 w=1 m=5" tasks
                                        "generator n=10" (λ (first) (+ first 10))))])
    (define words (string-split case))
    (define said
      (lines (string-append "thread/" (first words)) (string-join (append (rest words) '("nonce=1000000" "iterations=3")))))
    (check-equal? (map (λ (counted) (hash-ref counted 'checksum)) (evidence said))
                  (map checksum '(1000000 1000001 1000002))
                  case)))

(test-case "tasks are numbered from the nonce on, in a trace as well"
  (for ([(file number) (in-hash (hash "spawn" 1000000 "spawn-chain" 1000000 "tree" 0))])
    (define events (hash-ref (first (of-type "trace" (lines (string-append "thread/" file) "n=1 nonce=1000000 trace=1"))) 'events))
    (check-equal? (second (assoc "run" events)) number file)
    (check-equal? (third (assoc "spawn" events)) "main")
    (check-regexp-match #rx"^thread-[0-9]+$" (third (assoc "run" events)))))

(test-case "a byte goes to and fro"
  (check-equal? (evidence (lines "thread/io-switch" "m=20 iterations=3")) (make-list 3 (hasheq 'finished 2 'messages 40))))

(test-case "a task that is cancelled cleans up, and is joined"
  (check-equal? (evidence (lines "thread/cancel" "n=10 iterations=3" "\n\n"))
                (make-list 3 (hasheq 'cancelled 10 'created 10 'finished 10))))

(test-case "tasks are cancelled while others yield"
  (check-equal? (evidence (lines "thread/cancel-loaded" "n=10 k=3 iterations=3"))
                (make-list 3 (hasheq 'active 3 'cancelled 10 'created 10 'finished 10))))

(test-case "the first error of a scope is caught when the other children have cleaned up"
  (check-equal? (evidence (lines "thread/scope" "n=5 m=2 nonce=100"))
                (list (hasheq 'created 10 'failed 2 'cancelled 8 'cleaned 8 'checksum 201))))

(test-case "a lock is handed on in the order in which it was asked for"
  (check-equal? (evidence (lines "thread/mutex" "k=3 m=5"))
                (list (hasheq 'checksum 15 'finished 3 'most 1 'yields 15 'passed 2)))
  (check-equal? (evidence (lines "thread/semaphore" "k=1 s=1 m=5"))
                (list (hasheq 'checksum 5 'finished 1 'most 1 'yields 0 'passed 0))))

(test-case "each message comes to one consumer"
  (define counted (first (evidence (lines "thread/channel" "p=3 c=4 b=2 m=10 nonce=1000000"))))
  (check-equal? (hash-remove counted 'most) (hasheq 'checksum 30000435 'finished 7 'messages 30))
  (check-true (<= 8 (hash-ref counted 'most) 30)))

(test-case "every task of every burst tells when it first ran"
  (define said (lines "thread/burst" "n=10 bursts=3 idle_ms=1 nonce=1000000"))
  (define starts (series said))
  (define last
    (for/sum ([burst (in-range 3)]) (apply max (take (drop starts (* 10 burst)) 10))))
  (check-equal? (length starts) 30)
  (check-equal? (evidence said) (list (hasheq 'checksum 30000435 'created 30 'finished 30 'last_ns last))))

(test-case "every tick is taken while others yield"
  (define said (lines "thread/ticker" "k=3 ticks=50 period_us=1"))
  (check-equal? (hash-remove (first (evidence said)) 'yields) (hasheq 'active 3 'finished 4))
  (check-equal? (length (series said)) 50))

(test-case "a sleeping task does not wake before its deadline"
  (define said (lines "thread/timers" "n=20 lead=20"))
  (check-equal? (evidence said) (list (hasheq 'created 20 'finished 20 'checksum 190 'early 0)))
  (check-equal? (length (series said)) 20))

(test-case "a program never iterates more than 10,000 times"
  (check-equal? (length (evidence (lines "thread/baseline" "n=1 min_warm_ms=600000"))) 10000))

(test-case "memory holds at every point, and ends with its runner"
  (define said (lines "thread/memory-state" "n=30 nonce=1000000" "\n\n\n\n\n"))
  (check-equal? (map (λ (line) (list (hash-ref line 'point) (hash-ref line 'units))) (of-type "hold" said))
                '(("base" 0) ("live" 30) ("live-collected" 30) ("released" 0) ("released-collected" 0)))
  (check-equal? (hash-ref (first (evidence said)) 'checksum) 30000435)
  (define-values (status _ complaint) (ran "thread/memory" "n=30"))
  (check-equal? status 1)
  (check-regexp-match #rx"stdin ended at the hold base" complaint))

(test-case "a start says nothing unless asked"
  (for ([words '("mode=bare" "mode=first-task")])
    (define-values (status said complaint) (ran "thread/startup" words))
    (check-equal? (list status said complaint) '(0 "" "")))
  (check-equal? (evidence (lines "thread/startup" "mode=first-task report=1")) (list (hasheq 'finished 1))))

(test-case "a wrong command line ends with 2"
  (for ([(file message) (in-hash (hash "spawn" "n is missing" "startup" "mode is missing"))])
    (define-values (status said complaint) (ran (string-append "thread/" file) ""))
    (check-equal? (list status said complaint) (list 2 "" (format "usage: ~a\n" message)))))

(test-case "a task that fails ends with 1"
  (define-values (status said complaint) (ran "test/failing" ""))
  (check-equal? status 1)
  (check-regexp-match #rx"planted" complaint)
  (check-equal? (of-type "end" (map string->jsexpr (string-split said "\n"))) '()))
