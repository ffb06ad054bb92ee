#lang racket/base

;; n threads sleep once, each until a deadline of its own within one second.

(require "../harness/program.rkt")

(define second-in-ns 1000000000)
(define ms 1000000)

;; How late it woke, in nanoseconds.
(define (sleep-until deadline)
  (sleep (/ (max 0 (- deadline (clock))) 1e9))
  (- (clock) deadline))

(define (sleep-all program lateness)
  (define n (argument program 'n))
  (define first-deadline (+ (clock) (* (argument program 'lead) ms)))
  (define threads
    (for/list ([i (in-range n)])
      (define deadline (+ first-deadline (quotient (* i second-in-ns) n)))
      (start program i (λ () (vector-set! lateness i (cons i (sleep-until deadline)))))))
  (define-values (finished checksum early)
    (for/fold ([finished 0] [checksum 0] [early 0]) ([thread (in-list threads)] [place (in-naturals)])
      (define woken (result-of thread lateness place))
      (values (add1 finished) (+ checksum (car woken)) (if (< (cdr woken) (- ms)) (add1 early) early))))
  (values finished (hasheq 'created (length threads) 'finished finished 'checksum checksum 'early early)))

(run "timers"
     (hasheq 'n 1 'lead 0)
     (λ (program)
       (define lateness (make-vector (argument program 'n) #f))
       (lap program (λ () (sleep-all program lateness)))
       (series program "lateness" (for/list ([woken (in-vector lateness)]) (max 0 (cdr woken))))))
