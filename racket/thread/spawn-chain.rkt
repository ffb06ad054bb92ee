#lang racket/base

;; Each thread starts the next as its last act; the root waits for the last one only.

(require "../harness/program.rkt")

(define (chain program)
  (define first (nonce program))
  (define last (+ first (argument program 'n) -1))
  (define ended (make-semaphore))
  (define finished 0)
  (define checksum 0)
  (define (link i)
    (start program
           i
           (λ ()
             (set! checksum (+ checksum i))
             (set! finished (add1 finished))
             (if (< i last)
                 (link (add1 i))
                 (semaphore-post ended)))))
  (link first)
  (semaphore-wait ended)
  (values finished (hasheq 'finished finished 'checksum checksum)))

(run "spawn-chain" (hasheq 'n 1) (λ (program) (repeat program (λ () (chain program)))))
