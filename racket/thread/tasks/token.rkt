#lang racket/base

;; The tasks of hand-off and ring.

(require "../../harness/program.rkt"
         "../../harness/update.rkt")

(provide prepare
         pass)

;; The channel of the first player, all players in their order, and what each has left.
(struct ring (first players results)
  #:authentic)

;; Takes the token, adds one and passes it on; returns how often it had it.
(define (play program i inbox outbox rounds)
  (for/fold ([received 0]) ([_ (in-range rounds)])
    (define token (channel-get inbox))
    (record program "run" i)
    (channel-put outbox (add1 token))
    (add1 received)))

;; Starts k players in a ring, each of which waits at a channel of its own when this returns.
(define (prepare program k rounds)
  (define channels (build-vector k (λ (_) (make-channel))))
  (define results (make-vector k #f))
  (define come (box 0))
  (define players
    (for/list ([i (in-range k)])
      (define inbox (vector-ref channels i))
      (define outbox (vector-ref channels (modulo (add1 i) k)))
      (start program
             i
             #:resumes #t
             (λ ()
               (increment! come)
               (vector-set! results i (play program i inbox outbox rounds))))))
  (yield-until (λ () (= (unbox come) k)))
  ;; One more turn, should one of them have been preempted on its way to the wait.
  (sleep)
  (ring (vector-ref channels 0) players results))

;; Gives the first player the token and joins all of them. A channel has no room: the last player's last send ends when the root
;; takes the token, which it does when the first player has ended and doesn't take it any more.
(define (pass program ring)
  (define results (ring-results ring))
  (channel-put (ring-first ring) (nonce program))
  (define messages (result-of (car (ring-players ring)) results 0))
  (define token (channel-get (ring-first ring)))
  (for/fold ([finished 1]
             [messages messages]
             #:result (values messages (hasheq 'finished finished 'messages messages 'checksum token)))
            ([player (in-list (cdr (ring-players ring)))] [i (in-naturals 1)])
    (values (add1 finished) (+ messages (result-of player results i)))))
