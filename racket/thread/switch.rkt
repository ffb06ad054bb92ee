#lang racket/base

;; Lets k threads yield m times each, by sleep.

(require "../harness/program.rkt")

;; How often it was resumed, counted from the nonce on. Without trace=1 or count=1, which are never timed, nothing watches it.
(define (yields i first m watch)
  (for/fold ([count first]) ([_ (in-range m)])
    (sleep)
    (when watch
      (watch i))
    (add1 count)))

(define (switch program)
  (define k (argument program 'k))
  (define m (argument program 'm))
  (define first (nonce program))
  (define counted? (= (argument program 'count) 1))
  (define switches 0)
  (define last #f)
  (define (watch i)
    (record program "run" i)
    (unless (eqv? i last)
      (set! switches (add1 switches)))
    (set! last i))
  (define watcher (and (or counted? (= (argument program 'trace) 1)) watch))
  (define counts (make-vector k #f))
  (define threads
    (for/list ([i (in-range k)])
      (start program i #:resumes #t (λ () (vector-set! counts i (yields i first m watcher))))))
  (define-values (finished checksum)
    (for/fold ([finished 0] [checksum 0]) ([thread (in-list threads)] [i (in-naturals)])
      (values (add1 finished) (+ checksum (result-of thread counts i)))))
  (define resumes (- checksum (* k first)))
  (define evidence (hasheq 'finished finished 'resumes resumes 'checksum checksum))
  (values resumes (if counted? (hash-set evidence 'true_switches switches) evidence)))

(run "switch" (hasheq 'k 1 'm 1) #:flags '(count) (λ (program) (repeat program (λ () (switch program)))))
