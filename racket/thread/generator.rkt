#lang racket/base

;; Resumes one generator n times, by calling it: the value that goes in is what yield returns in it.

(require racket/generator
         "../harness/program.rkt")

;; Hands out one more than it was given last, n times after the first. `tell` is there where a trace was asked for.
(define (adder first n tell)
  (generator ()
             (define last
               (for/fold ([value first]) ([_ (in-range n)])
                 (define given (yield value))
                 (when tell
                   (tell "run"))
                 (add1 given)))
             (when tell
               (tell "done"))
             last))

(define (resume program)
  (define first (nonce program))
  (define n (argument program 'n))
  ;; What runs is the generator, which no thread is, where it says that it does.
  (define (tell kind)
    (record program kind 0 (if (eq? (generator-state add) 'running) add (current-thread))))
  (record program "spawn" 0)
  (define add (adder first n (and (= (argument program 'trace) 1) tell)))
  (record program "spawned" 0)
  (define value
    (for/fold ([value (add)]) ([_ (in-range n)])
      (add value)))
  (define finished (if (eq? (generator-state add) 'done) 1 0))
  (values (- value first) (hasheq 'finished finished 'checksum value)))

(run "generator" (hasheq 'n 1) (λ (program) (repeat program (λ () (resume program)))))
