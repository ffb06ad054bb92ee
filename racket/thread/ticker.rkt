#lang racket/base

;; One thread wakes on an absolute schedule while k others do nothing but yield.

(require "../harness/program.rkt"
         "tasks/load.rkt")

(define us 1000)
(define second-in-ns 1e9)

;; How late each tick was taken. One that is overdue is taken without a sleep.
(define (tick ticks period)
  (define start (clock))
  (for/list ([i (in-range 1 (add1 ticks))])
    (define due (+ start (* i period)))
    (define left (- due (clock)))
    (when (> left 0)
      (sleep (/ left second-in-ns)))
    (max 0 (- (clock) due))))

(define (perform program results)
  (define k (argument program 'k))
  (define load (start-load program k))
  (define ticker
    (start program k (λ () (vector-set! results 0 (tick (argument program 'ticks) (* (argument program 'period_us) us))))))
  (define lateness (result-of ticker results 0))
  (define counts (stop load))
  (define active (for/sum ([count (in-list counts)]) (if (> count 0) 1 0)))
  (values (length lateness)
          (hasheq 'finished (add1 (length counts)) 'active active 'yields (apply + counts))))

(run "ticker"
     (hasheq 'k 1 'ticks 1 'period_us 1)
     (λ (program)
       (define results (make-vector 1 #f))
       (lap program (λ () (perform program results)))
       (series program "lateness" (vector-ref results 0))))
