#lang racket/base

;; Starts n threads, then joins each and sums what they left.

(require "../harness/program.rkt")

(define (spawn program)
  (define n (argument program 'n))
  (define first (nonce program))
  (define results (make-vector n #f))
  (define threads
    (for/list ([place (in-range n)])
      (define i (+ first place))
      (start program i (λ () (vector-set! results place i)))))
  (define created (length threads))
  (define-values (finished checksum)
    (for/fold ([finished 0] [checksum 0]) ([thread (in-list threads)] [place (in-naturals)])
      (define value (result-of thread results place))
      (record program "collect" value)
      (values (add1 finished) (+ checksum value))))
  (values finished (hasheq 'created created 'finished finished 'checksum checksum)))

(run "spawn" (hasheq 'n 1) (λ (program) (repeat program (λ () (spawn program)))))
