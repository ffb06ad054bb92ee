#lang racket/base

;; Updates of what several threads share: one may be preempted between reading a value and writing it.

(provide update!
         increment!)

;; Replaces what is in the box by what `change` makes of it, and returns that.
(define (update! box change)
  (define old (unbox box))
  (define new (change old))
  (if (box-cas! box old new) new (update! box change)))

(define (increment! box [by 1])
  (update! box (λ (count) (+ count by))))
