#lang racket/base

;; Two threads pass a byte to and fro over a pair of Unix stream sockets.

(require racket/unix-socket
         "../harness/program.rkt")

;; What a listener accepted and what connected to it are a pair. An abstract name leaves no file behind.
(define (connected)
  (define name (string->bytes/utf-8 (format "\0corobench-~a-~a" (clock) (random 1000000000))))
  (define listener (unix-socket-listen name))
  (define-values (left-in left-out) (unix-socket-connect name))
  (define-values (right-in right-out) (unix-socket-accept listener))
  (unix-socket-close-listener listener)
  (values (cons left-in left-out) (cons right-in right-out)))

(define (put end)
  (write-byte 120 (cdr end))
  (flush-output (cdr end)))

(define (take end)
  (when (eof-object? (read-byte (car end)))
    (error "the other side is gone"))
  1)

(define (ask end m)
  (for/fold ([received 0]) ([_ (in-range m)])
    (put end)
    (+ received (take end))))

(define (answer end m)
  (for/fold ([received 0]) ([_ (in-range m)])
    (define taken (take end))
    (put end)
    (+ received taken)))

(define (alternate program left right)
  (define m (argument program 'm))
  (define results (make-vector 2 #f))
  (define threads
    (list (start program 0 (λ () (vector-set! results 0 (ask left m))))
          (start program 1 (λ () (vector-set! results 1 (answer right m))))))
  (for/fold ([finished 0] [messages 0] #:result (values (quotient messages 2) (hasheq 'finished finished 'messages messages)))
            ([thread (in-list threads)] [i (in-naturals)])
    (values (add1 finished) (+ messages (result-of thread results i)))))

(run "io-switch"
     (hasheq 'm 1)
     (λ (program)
       (define-values (left right) (connected))
       (repeat program (λ () (alternate program left right)))))
