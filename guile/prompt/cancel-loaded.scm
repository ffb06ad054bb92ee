;; n parked tasks are cancelled, and joined, while k others do nothing but yield.
(define-module (prompt cancel-loaded)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks crowd)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define active 0)       ; those that have yielded and not ended
(define ended? #f)

(define (keep-yielding)
  (yield)
  (set! active (1+ active))
  (let again ()
    (unless ended?
      (yield)
      (again)))
  (set! active (1- active)))

(define (prepare k n)
  (set! ended? #f)
  (let* ((load (map-in-order (lambda (i) (start i keep-yielding)) (iota k)))
         (crowd (gather n k)))
    (values load crowd)))

(define (cancel-loaded _ crowd)
  (call-with-values (lambda () (cancel-all crowd (argument 'k)))
    (lambda (ops evidence)
      (values ops (acons 'active active evidence)))))

(define (stop load _)
  (set! ended? #t)
  (for-each join load))

(define (main arguments)
  (run-workload arguments "cancel-loaded" '((n . 1) (k . 1))
    (lambda ()
      (repeat cancel-loaded
              #:prepare (lambda () (prepare (argument 'k) (argument 'n)))
              #:finish stop))))
