#lang racket/base

;; k threads that all want what a semaphore guards, which the root holds until they have asked for it.

(require "../../harness/program.rkt")

(provide gather
         enter
         collect)

(struct contenders (threads results)
  #:authentic)

;; Starts the threads. `take` gets the number of one, and the box in which it counts itself when it asks first; it returns a sum, and
;; the most that others took between two of its own. All have asked when this returns.
(define (gather program take)
  (define k (argument program 'k))
  (define results (make-vector k #f))
  (define asked (box 0))
  (define threads
    (for/list ([i (in-range k)])
      (start program i (λ () (vector-set! results i (take i asked))))))
  (yield-until (λ () (= (unbox asked) k)))
  ;; One more turn, should one of them have been preempted on its way to the wait.
  (sleep)
  (contenders threads results))

;; What `visit` returns, which is called while the semaphore lets thread i in.
(define (enter program semaphore i visit)
  (call-with-semaphore semaphore
                       (λ ()
                         (record program "enter" i)
                         (begin0
                           (visit)
                           (record program "leave" i)))))

;; The sum of their sums, how many were joined, and the most that others took between two.
(define (collect contenders)
  (for/fold ([sum 0] [finished 0] [passed 0]) ([thread (in-list (contenders-threads contenders))] [i (in-naturals)])
    (define own (result-of thread (contenders-results contenders) i))
    (values (+ sum (car own)) (add1 finished) (max passed (cdr own)))))
