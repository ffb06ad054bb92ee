#lang racket/base

;; Two threads pass a token to and fro, m times each, through channels.

(require "../harness/program.rkt"
         "tasks/token.rkt")

(run "hand-off"
     (hasheq 'm 1)
     (λ (program)
       (repeat program #:prepare (λ () (prepare program 2 (argument program 'm))) (λ (ring) (pass program ring)))))
