#lang racket/base

;; n parked threads are cancelled, clean up and are joined.

(require "../harness/program.rkt"
         "tasks/crowd.rkt")

(run "cancel"
     (hasheq 'n 1)
     (λ (program)
       (hold program "base" 0)
       (repeat program #:prepare (λ () (gather program (argument program 'n))) cancel)
       (hold program "released" 0)))
