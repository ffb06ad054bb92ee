#lang racket/base

;; p producers send m messages each to one consumer through one bounded channel.

(require racket/async-channel
         "../harness/program.rkt")

(define room 128)

;; How many messages came, and their sum.
(define (consume queue messages)
  (for/fold ([received 0] [sum 0] #:result (cons received sum)) ([_ (in-range messages)])
    (values (add1 received) (+ sum (async-channel-get queue)))))

(define (gather program)
  (define p (argument program 'p))
  (define m (argument program 'm))
  (define first (add1 (nonce program)))
  (define queue (make-async-channel room))
  (define results (make-vector 1 #f))
  (define producers
    (for/list ([i (in-range p)])
      (define message (+ first i))
      (start program
             i
             (λ ()
               (for ([_ (in-range m)])
                 (async-channel-put queue message))))))
  (define consumer (start program p (λ () (vector-set! results 0 (consume queue (* p m))))))
  (define ended
    (for/fold ([ended 0]) ([producer (in-list producers)])
      (thread-wait producer)
      (add1 ended)))
  (define consumed (result-of consumer results 0))
  (values (car consumed) (hasheq 'finished (add1 ended) 'messages (car consumed) 'checksum (cdr consumed))))

(run "fan-in" (hasheq 'p 1 'm 1) (λ (program) (repeat program (λ () (gather program)))))
