#lang racket/base

;; k threads want one of s permits, m times each, and give way while they have it.

(require "../harness/program.rkt"
         "../harness/update.rkt")

;; The permits, and counts that all holders of one share: those who have one, the most that ever had, all permits taken, and how often
;; one gave way.
(struct room (permits contended? inside most taken yields)
  #:authentic)

;; How many permits had been taken, its own included.
(define (visit room)
  (define inside (increment! (room-inside room)))
  (update! (room-most room) (λ (most) (max most inside)))
  (define number (increment! (room-taken room)))
  (when (room-contended? room)
    (sleep)
    (increment! (room-yields room)))
  (increment! (room-inside room) -1)
  number)

;; Its permits, counted from the nonce on, and the most that others took between two of its own.
(define (take program i room m asked)
  (define first (nonce program))
  (for/fold ([taken first] [passed 0] [own 0] #:result (cons taken passed)) ([_ (in-range m)])
    (record program "ask" i)
    (when (= taken first)
      (increment! asked))
    (define number
      (call-with-semaphore (room-permits room)
                           (λ ()
                             (record program "enter" i)
                             (begin0
                               (visit room)
                               (record program "leave" i)))))
    (values (add1 taken) (max passed (- number own 1)) number)))

(struct contenders (room threads results)
  #:authentic)

;; All of them have asked for a permit, of which the root holds all, when it returns.
(define (gather program)
  (define k (argument program 'k))
  (define s (argument program 's))
  (define m (argument program 'm))
  (define shared (room (make-semaphore s) (> k s) (box 0) (box 0) (box 0) (box 0)))
  (for ([_ (in-range s)])
    (semaphore-wait (room-permits shared)))
  (define results (make-vector k #f))
  (define asked (box 0))
  (define threads
    (for/list ([i (in-range k)])
      (start program i (λ () (vector-set! results i (take program i shared m asked))))))
  (yield-until (λ () (= (unbox asked) k)))
  ;; One more turn, should one of them have been preempted on its way to the wait.
  (sleep)
  (contenders shared threads results))

(define (share program contenders)
  (define room (contenders-room contenders))
  (for ([_ (in-range (argument program 's))])
    (semaphore-post (room-permits room)))
  (define-values (checksum finished passed)
    (for/fold ([checksum 0] [finished 0] [passed 0]) ([thread (in-list (contenders-threads contenders))] [i (in-naturals)])
      (define own (result-of thread (contenders-results contenders) i))
      (values (+ checksum (car own)) (add1 finished) (max passed (cdr own)))))
  (values (- checksum (* finished (nonce program)))
          (hasheq 'finished finished
                  'most (unbox (room-most room))
                  'yields (unbox (room-yields room))
                  'passed passed
                  'checksum checksum)))

(run "semaphore"
     (hasheq 'k 1 's 1 'm 1)
     (λ (program)
       (repeat program #:prepare (λ () (gather program)) (λ (contenders) (share program contenders)))))
