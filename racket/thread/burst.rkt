#lang racket/base

;; A root that has slept starts n threads at once, and again; each tells when it first ran.

(require "../harness/program.rkt")

;; Starts the threads from number `first` on. Those started, those joined, the sum of their numbers, and the time from the beginning
;; until each first ran.
(define (burst program first n)
  (define results (make-vector n #f))
  (define began (clock))
  (define threads
    (for/list ([place (in-range n)])
      (define i (+ first place))
      (start program
             i
             (λ ()
               (define ran (clock))
               (vector-set! results place (cons i (- ran began)))))))
  (define created (length threads))
  (for/fold ([finished 0] [checksum 0] [starts '()] #:result (values created finished checksum (reverse starts)))
            ([thread (in-list threads)] [place (in-naturals)])
    (define result (result-of thread results place))
    (record program "collect" (car result))
    (values (add1 finished) (+ checksum (car result)) (cons (cdr result) starts))))

;; All bursts: the operations, the evidence, and the time until each thread first ran.
(define (burst-all program)
  (define n (argument program 'n))
  (define bursts (argument program 'bursts))
  (for/fold ([created 0] [finished 0] [checksum 0] [last-ns 0] [all '()]
             #:result (values finished
                              (hasheq 'created created 'finished finished 'checksum checksum 'last_ns last-ns)
                              (apply append (reverse all))))
            ([i (in-range bursts)])
    (sleep (/ (argument program 'idle_ms) 1000))
    (define-values (more-created more-finished sum starts) (burst program (+ (nonce program) (* i n)) n))
    (values (+ created more-created)
            (+ finished more-finished)
            (+ checksum sum)
            (+ last-ns (apply max starts))
            (cons starts all))))

(run "burst"
     (hasheq 'n 1 'bursts 1 'idle_ms 0)
     (λ (program)
       (define all-starts '())
       (lap program
            (λ ()
              (define-values (ops evidence starts) (burst-all program))
              (set! all-starts starts)
              (values ops evidence)))
       (series program "start" all-starts)))
