#lang racket/base

;; Parks n threads at one gate and holds the process still before, while and after they live.

(require "../../harness/program.rkt"
         "../../harness/update.rkt")

(provide measure
         wait-at)

;; The gate is a turnstile: a semaphore of no permits, which whoever has come through gives on to the next.
(struct gate (program turnstile parked)
  #:authentic)

;; Parks task i until the gate is opened.
(define (wait-at gate i)
  (define turnstile (gate-turnstile gate))
  (increment! (gate-parked gate))
  (record (gate-program gate) "park" i)
  (semaphore-wait turnstile)
  (semaphore-post turnstile)
  (increment! (gate-parked gate) -1))

;; Threads started, threads joined, and the sum of what they returned. All are gone, handles too, when it returns.
(define (live gate body)
  (define program (gate-program gate))
  (define parked (gate-parked gate))
  (define n (argument program 'n))
  (define first (nonce program))
  (define results (make-vector n #f))
  (define threads
    (for/list ([place (in-range n)])
      (define i (+ first place))
      (start program i (λ () (vector-set! results place (body i gate))))))
  (yield-until (λ () (= (unbox parked) n)))
  (hold-twice program "live" (unbox parked))
  (semaphore-post (gate-turnstile gate))
  (for/fold ([finished 0] [checksum 0] #:result (values (length threads) finished checksum))
            ([thread (in-list threads)] [place (in-naturals)])
    (values (add1 finished) (+ checksum (result-of thread results place)))))

;; The whole program of a memory workload: `body` gets the number of a task and the gate, waits there once, and returns the number.
(define (measure workload body)
  (define (perform program)
    (define parked (box 0))
    (hold program "base" (unbox parked))
    (define-values (created finished checksum) (live (gate program (make-semaphore) parked) body))
    (hold-twice program "released" (unbox parked))
    (values finished (hasheq 'created created 'finished finished 'checksum checksum)))
  (run workload (hasheq 'n 1) (λ (program) (lap program (λ () (perform program))))))
