#lang racket/base

;; n parked threads are cancelled, clean up and are joined while k others do nothing but yield.

(require "../harness/program.rkt"
         "tasks/crowd.rkt"
         "tasks/load.rkt")

(define (prepare program)
  (define k (argument program 'k))
  (define load (start-load program k))
  (cons load (gather program (argument program 'n) k)))

(define (cancel-beside prepared)
  (define-values (finished evidence) (cancel (cdr prepared)))
  (values finished (hash-set evidence 'active (active (car prepared)))))

(run "cancel-loaded"
     (hasheq 'n 1 'k 1)
     (λ (program)
       (repeat program #:prepare (λ () (prepare program)) cancel-beside #:finish (λ (prepared) (stop (car prepared))))))
