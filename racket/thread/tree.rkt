#lang racket/base

;; A thread for a range of leaves starts ten for the tenths of it, down to a thread for each leaf.

(require "../harness/program.rkt")

(define children 10)

;; Starts the thread for a range of leaves. It leaves at its place how many threads were joined in it, itself included, and the sum of
;; its leaves.
(define (grow program first leaves results place)
  (start-next program
              (λ () (vector-set! results place (if (= leaves 1) (cons 1 first) (branch program first (quotient leaves children)))))))

(define (branch program first share)
  (define results (make-vector children #f))
  (define threads
    (for/list ([place (in-range children)])
      (grow program (+ first (* place share)) share results place)))
  (for/fold ([tasks 1] [sum 0] #:result (cons tasks sum)) ([thread (in-list threads)] [place (in-naturals)])
    (define part (result-of thread results place))
    (values (+ tasks (car part)) (+ sum (cdr part)))))

(define (perform program n)
  (define results (make-vector 1 #f))
  (define total (result-of (grow program (nonce program) n results 0) results 0))
  (values (car total) (hasheq 'finished (car total) 'checksum (cdr total))))

(run "tree"
     (hasheq 'n 1)
     (λ (program)
       (define n (argument program 'n))
       (unless (regexp-match? #px"^10*$" (number->string n))
         (usage "n=~a must be a power of ten" n))
       (repeat program (λ () (perform program n)))))
