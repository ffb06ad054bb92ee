#lang racket/base

;; Parks n threads that hold nothing but their number.

(require "tasks/gate.rkt")

(measure "memory"
         (λ (i gate)
           (wait-at gate i)
           i))
