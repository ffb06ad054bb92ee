#lang racket/base

;; Threads 0 .. k-1, which do nothing but yield until they are told to end.

(require "../../harness/program.rkt"
         "../../harness/update.rkt")

(provide start-load
         active
         stop)

;; `yielding` counts those that have yielded and not ended.
(struct crew (threads counts yielding ended)
  #:authentic)

;; How often it yielded.
(define (keep-yielding yielding ended)
  (sleep)
  (increment! yielding)
  (let again ([count 1])
    (cond
      [(unbox ended)
       (increment! yielding -1)
       count]
      [else
       (sleep)
       (again (add1 count))])))

;; All of them have yielded when it returns.
(define (start-load program k)
  (define counts (make-vector k #f))
  (define yielding (box 0))
  (define ended (box #f))
  (define threads
    (for/list ([i (in-range k)])
      (start program i (λ () (vector-set! counts i (keep-yielding yielding ended))))))
  (yield-until (λ () (= (unbox yielding) k)))
  (crew threads counts yielding ended))

(define (active crew)
  (unbox (crew-yielding crew)))

;; The yields of each, when all have ended.
(define (stop crew)
  (set-box! (crew-ended crew) #t)
  (for/list ([thread (in-list (crew-threads crew))] [i (in-naturals)])
    (result-of thread (crew-counts crew) i)))
