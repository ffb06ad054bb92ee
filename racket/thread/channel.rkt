#lang racket/base

;; p producers send m messages each to c consumers through one channel with room for b.

(require racket/async-channel
         "../harness/program.rkt")

(define (produce program i queue first m)
  (for ([message (in-range first (+ first m))])
    (async-channel-put queue message)
    (record program "run" i)))

;; How many messages came until the last item, and their sum.
(define (consume program i queue)
  (let next ([received 0] [sum 0])
    (define message (async-channel-get queue))
    (cond
      [(eof-object? message) (cons received sum)]
      [else
       (record program "run" i)
       (next (add1 received) (+ sum message))])))

;; A channel can't be closed: a last item tells each consumer to end.
(define (pass program)
  (define p (argument program 'p))
  (define c (argument program 'c))
  (define m (argument program 'm))
  (define first (nonce program))
  (define queue (make-async-channel (argument program 'b)))
  (define results (make-vector c #f))
  (define producers
    (for/list ([i (in-range p)])
      (start program i (λ () (produce program i queue (+ first (* i m)) m)))))
  (define consumers
    (for/list ([place (in-range c)])
      (define i (+ p place))
      (start program i (λ () (vector-set! results place (consume program i queue))))))
  (define ended
    (for/fold ([ended 0]) ([producer (in-list producers)])
      (thread-wait producer)
      (add1 ended)))
  (for ([_ (in-list consumers)])
    (async-channel-put queue eof))
  (define-values (finished messages most checksum)
    (for/fold ([finished ended] [messages 0] [most 0] [checksum 0]) ([consumer (in-list consumers)] [place (in-naturals)])
      (define part (result-of consumer results place))
      (values (add1 finished) (+ messages (car part)) (max most (car part)) (+ checksum (cdr part)))))
  (values messages (hasheq 'finished finished 'messages messages 'most most 'checksum checksum)))

(run "channel" (hasheq 'p 1 'c 1 'b 1 'm 1) (λ (program) (repeat program (λ () (pass program)))))
