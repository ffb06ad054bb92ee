#lang racket/base

;; n parked threads are ended by a break where they wait, clean up behind dynamic-wind, and are joined.

(require "../../harness/program.rkt"
         "../../harness/update.rkt")

(provide gather
         cancel)

;; They are numbered from `first` on.
(struct crowd (program first threads waiting cleaned)
  #:authentic)

(define (park program i gate waiting cleaned)
  (with-handlers ([exn:break? void])
    (dynamic-wind
     void
     (λ ()
       (increment! waiting)
       (record program "park" i)
       (semaphore-wait gate)
       (error "a task ran past its wait"))
     (λ () (increment! cleaned)))))

;; All of them wait when it returns: they have come there, and those that could go on have had another turn.
(define (gather program n [first 0])
  (define gate (make-semaphore))
  (define waiting (box 0))
  (define cleaned (box 0))
  (define threads
    (for/list ([i (in-range first (+ first n))])
      (start program i (λ () (park program i gate waiting cleaned)))))
  (yield-until (λ () (= (unbox waiting) n)))
  (sleep)
  (crowd program first threads waiting cleaned))

;; Threads joined, and the evidence.
(define (cancel crowd)
  (define cleaned (crowd-cleaned crowd))
  (define waited (- (unbox (crowd-waiting crowd)) (unbox cleaned)))
  (for ([thread (in-list (crowd-threads crowd))])
    (break-thread thread))
  (define finished
    (for/fold ([finished 0]) ([thread (in-list (crowd-threads crowd))] [i (in-naturals (crowd-first crowd))])
      (thread-wait thread)
      (record (crowd-program crowd) "collect" i)
      (add1 finished)))
  (values finished (hasheq 'created waited 'cancelled (unbox cleaned) 'finished finished)))
