#lang racket/base

;; A planted fault: a thread that nobody joins fails while the root waits.

(require "../harness/program.rkt")

(run "planted"
     (hasheq)
     (λ (program)
       (start program 0 (λ () (error "planted")))
       (sleep 1)))
