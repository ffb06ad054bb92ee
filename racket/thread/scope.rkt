#lang racket/base

;; Scopes of n threads each, one of which fails; the others are cancelled for it, and the root catches the error.

(require "../harness/program.rkt"
         "../harness/update.rkt")

;; The error of a child, by whose value the root knows it.
(struct exn:failed exn:fail (value))

;; Racket has no scopes that wait for clean-ups: a custodian that is shut down kills its threads where they are. Here each child sends its
;; outcome to the thread that has started it. The first error breaks all children, and is raised when they have ended. A child can be
;; broken in its body only, so that none ends without a word.
(define (all-or-none start bodies)
  (define opener (current-thread))
  (define (child body)
    (parameterize-break #f
      (thread-send opener
                   (with-handlers ([exn:fail? values] [exn:break? void])
                     (parameterize-break #t
                       (body))
                     (void)))))
  (define children
    (for/list ([body (in-list bodies)] [place (in-naturals)])
      (start place (λ () (child body)))))
  (define first-error
    (for/fold ([first-error #f]) ([_ (in-list children)])
      (define outcome (thread-receive))
      (cond
        [(and (exn:fail? outcome) (not first-error))
         (for-each break-thread children)
         outcome]
        [else first-error])))
  (for-each thread-wait children)
  (when first-error
    (raise first-error)))

;; What a scope counts; its children share it.
(struct counts (created cancelled cleaned)
  #:authentic)

;; Waits for what never comes.
(define (park program i counts waiting)
  (record program "run" i)
  (dynamic-wind
   void
   (λ ()
     (with-handlers ([exn:break? (λ (broken)
                                   (increment! (counts-cancelled counts))
                                   (raise broken))])
       (semaphore-post waiting)
       (semaphore-wait (make-semaphore))))
   (λ ()
     (increment! (counts-cleaned counts))
     (record program "done" i))))

;; Fails when all of its siblings wait.
(define (fail program i siblings waiting value)
  (record program "run" i)
  (for ([_ (in-range siblings)])
    (semaphore-wait waiting))
  (record program "fail" i)
  (raise (exn:failed "one failed" (current-continuation-marks) value)))

;; Starts n children, numbered from `first` on, and returns when all have ended.
(define (open program counts first n value)
  (define waiting (make-semaphore))
  (define last (+ first n -1))
  (define (start place child)
    (record program "spawn" (+ first place))
    (begin0
      (thread child)
      (increment! (counts-created counts))
      (record program "spawned" (+ first place))))
  (all-or-none start
               (for/list ([i (in-range first (add1 last))])
                 (if (< i last)
                     (λ () (park program i counts waiting))
                     (λ () (fail program i (sub1 n) waiting value))))))

(define (open-all program)
  (define n (argument program 'n))
  (define counted (counts (box 0) (box 0) (box 0)))
  (define-values (failed checksum)
    (for/fold ([failed 0] [checksum 0]) ([i (in-range (argument program 'm))])
      (record program "open" i)
      (define value
        (with-handlers ([exn:failed? exn:failed-value])
          (open program counted (* i n) n (+ (nonce program) i))
          #f))
      (record program "close" i)
      (if value (values (add1 failed) (+ checksum value)) (values failed checksum))))
  (define cleaned (unbox (counts-cleaned counted)))
  (values (+ cleaned failed)
          (hasheq 'created (unbox (counts-created counted))
                  'failed failed
                  'cancelled (unbox (counts-cancelled counted))
                  'cleaned cleaned
                  'checksum checksum)))

(run "scope" (hasheq 'n 2 'm 1) (λ (program) (repeat program (λ () (open-all program)))))
