#lang racket/base

;; k threads want one of s permits, m times each, and give way while they have it.

(require "../harness/program.rkt"
         "../harness/update.rkt"
         "tasks/contenders.rkt")

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
    (define number (enter program (room-permits room) i (λ () (visit room))))
    (values (add1 taken) (max passed (- number own 1)) number)))

(define (prepare program)
  (define k (argument program 'k))
  (define s (argument program 's))
  (define m (argument program 'm))
  (define shared (room (make-semaphore 0) (> k s) (box 0) (box 0) (box 0) (box 0)))
  (cons shared (gather program (λ (i asked) (take program i shared m asked)))))

(define (share program prepared)
  (define room (car prepared))
  (for ([_ (in-range (argument program 's))])
    (semaphore-post (room-permits room)))
  (define-values (checksum finished passed) (collect (cdr prepared)))
  (values (- checksum (* finished (nonce program)))
          (hasheq 'finished finished
                  'most (unbox (room-most room))
                  'yields (unbox (room-yields room))
                  'passed passed
                  'checksum checksum)))

(run "semaphore"
     (hasheq 'k 1 's 1 'm 1)
     (λ (program)
       (repeat program #:prepare (λ () (prepare program)) (λ (prepared) (share program prepared)))))
