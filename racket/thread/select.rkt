#lang racket/base

;; A thread waits on k channels at once, another sends through them in an order that the first does not know.

(require racket/async-channel
         "../harness/program.rkt")

;; Task 0, which answers after every w messages: how many came through each channel, and their sum.
(define (receive-all program boxes answers w messages)
  (define counts (make-vector (length boxes) 0))
  (define any-box
    (apply choice-evt
           (for/list ([box (in-list boxes)] [channel (in-naturals)])
             (wrap-evt box (λ (message) (cons channel message))))))
  (define sum
    (for/fold ([sum 0]) ([received (in-range 1 (add1 messages))])
      (define ready (sync any-box))
      (record program "run" 0)
      (vector-set! counts (car ready) (add1 (vector-ref counts (car ready))))
      (when (= (modulo received w) 0)
        (channel-put answers received))
      (+ sum (cdr ready))))
  (cons (vector->list counts) sum))

;; Task 1. The nonce draws the order: each channel once a round, as k is a power of two. Returns how many it sent.
(define (send-all program boxes answers w messages)
  (define first (nonce program))
  (define channels (list->vector boxes))
  (define k (vector-length channels))
  (for/fold ([sent 0]) ([_ (in-range messages)])
    (define-values (round turn) (quotient/remainder sent k))
    (define number (+ first round))
    (async-channel-put (vector-ref channels (modulo (+ number (* turn (add1 (* 2 number)))) k)) (+ first sent))
    (when (= (modulo (add1 sent) w) 0)
      (channel-get answers)
      (record program "run" 1))
    (add1 sent)))

(define (prepare program)
  (cons (build-list (argument program 'k) (λ (_) (make-async-channel 1))) (make-channel)))

(define (select program prepared)
  (define-values (boxes answers) (values (car prepared) (cdr prepared)))
  (define w (argument program 'w))
  (define messages (* (argument program 'k) (argument program 'm)))
  (define results (make-vector 2 #f))
  (define receiver
    (start program 0 #:resumes #t (λ () (vector-set! results 0 (receive-all program boxes answers w messages)))))
  (define sender
    (start program 1 #:resumes #t (λ () (vector-set! results 1 (send-all program boxes answers w messages)))))
  (define received (result-of receiver results 0))
  (define sent (result-of sender results 1))
  (define counts (car received))
  (define total (apply + counts))
  (values total
          (hasheq 'finished (for/sum ([count (in-list (list total sent))]) (if (= count messages) 1 0))
                  'messages total
                  'least (apply min counts)
                  'most (apply max counts)
                  'checksum (cdr received))))

(run "select"
     (hasheq 'k 1 'w 1 'm 1)
     (λ (program)
       (repeat program #:prepare (λ () (prepare program)) (λ (prepared) (select program prepared)))))
