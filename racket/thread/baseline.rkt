#lang racket/base

;; Calls a plain function n times and sums what it returns: the language without tasks.

(require "../harness/program.rkt")

(define (body i)
  i)
;; The compiler keeps a call of what may change.
(set! body body)

(define (call program)
  (define first (nonce program))
  (define-values (finished checksum)
    (for/fold ([finished 0] [checksum 0]) ([i (in-range first (+ first (argument program 'n)))])
      (values (add1 finished) (+ checksum (body i)))))
  (values finished (hasheq 'finished finished 'checksum checksum)))

(run "baseline" (hasheq 'n 1) (λ (program) (repeat program (λ () (call program)))))
