#lang racket/base

;; k threads, each waiting at a channel, pass a token round.

(require "../harness/program.rkt"
         "tasks/token.rkt")

(run "ring"
     (hasheq 'k 2 'rounds 1)
     (λ (program)
       (define k (argument program 'k))
       (define rounds (argument program 'rounds))
       (repeat program #:prepare (λ () (prepare program k rounds)) (λ (ring) (pass program ring)))))
