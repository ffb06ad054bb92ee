#lang racket/base

;; Parks n threads, each eight calls deep with 1 KiB of its own.

(require "tasks/gate.rkt")

(define depth 8)
(define size 1024)
(define values-of-a-byte 251)

;; Each level looks at what it got: a call in tail position would leave no frame.
(define (descend i gate level)
  (define value (if (< level depth) (descend i gate (add1 level)) (carry i gate)))
  (unless (= value i)
    (error "a task came back with another's number"))
  value)

(define (carry i gate)
  (define remainder (modulo i values-of-a-byte))
  (define state (make-bytes size remainder))
  (wait-at gate i)
  (+ (- i remainder) (bytes-ref state (sub1 size))))

(measure "memory-state" (λ (i gate) (descend i gate 1)))
