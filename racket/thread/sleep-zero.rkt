#lang racket/base

;; k threads sleep m times each for no time at all.

(require "../harness/program.rkt")

;; How often it woke, counted from the nonce on.
(define (sleeps program i first m)
  (for/fold ([count first]) ([_ (in-range m)])
    (sleep 0)
    (record program "run" i)
    (add1 count)))

(define (perform program)
  (define k (argument program 'k))
  (define m (argument program 'm))
  (define first (nonce program))
  (define counts (make-vector k #f))
  (define threads
    (for/list ([i (in-range k)])
      (start program i #:resumes #t (λ () (vector-set! counts i (sleeps program i first m))))))
  (define-values (finished checksum)
    (for/fold ([finished 0] [checksum 0]) ([thread (in-list threads)] [i (in-naturals)])
      (values (add1 finished) (+ checksum (result-of thread counts i)))))
  (values (- checksum (* finished first)) (hasheq 'finished finished 'checksum checksum)))

(run "sleep-zero" (hasheq 'k 1 'm 1) (λ (program) (repeat program (λ () (perform program)))))
