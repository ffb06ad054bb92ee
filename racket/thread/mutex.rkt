#lang racket/base

;; k threads want one lock, m times each, and give way inside: between reading a value and leaving it one greater.

(require "../harness/program.rkt"
         "../harness/update.rkt"
         "tasks/contenders.rkt")

;; The lock, and what it guards: those who are inside, the most that ever were, how often one gave way, and the value. Two that were
;; inside at once would lose an increment.
(struct section (lock contended? [inside #:mutable] [most #:mutable] [yields #:mutable] [value #:mutable])
  #:authentic)

;; The value that was found.
(define (visit section)
  (set-section-inside! section (add1 (section-inside section)))
  (set-section-most! section (max (section-most section) (section-inside section)))
  (define found (section-value section))
  (when (section-contended? section)
    (sleep)
    (set-section-yields! section (add1 (section-yields section))))
  (set-section-value! section (add1 found))
  (set-section-inside! section (sub1 (section-inside section)))
  found)

;; Its acquisitions, and the most by others between two of them.
(define (take program i section m asked)
  (for/fold ([acquired 0] [passed 0] [own (nonce program)] #:result (cons acquired passed)) ([_ (in-range m)])
    (record program "ask" i)
    (when (= acquired 0)
      (increment! asked))
    (define found (enter program (section-lock section) i (λ () (visit section))))
    (values (add1 acquired) (max passed (- found own)) (add1 found))))

(define (prepare program)
  (define k (argument program 'k))
  (define m (argument program 'm))
  (define guarded (section (make-semaphore 0) (> k 1) 0 0 0 (nonce program)))
  (cons guarded (gather program (λ (i asked) (take program i guarded m asked)))))

(define (contend prepared)
  (define section (car prepared))
  (semaphore-post (section-lock section))
  (define-values (ops finished passed) (collect (cdr prepared)))
  (values ops
          (hasheq 'finished finished
                  'most (section-most section)
                  'yields (section-yields section)
                  'passed passed
                  'checksum (section-value section))))

(run "mutex" (hasheq 'k 1 'm 1) (λ (program) (repeat program #:prepare (λ () (prepare program)) contend)))
