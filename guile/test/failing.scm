;; A planted fault: a task that nobody joins fails while the root waits.
(define-module (test failing)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define (main arguments)
  (run-workload arguments "planted" '()
    (lambda ()
      (start 0 (lambda () (error "planted")))
      (yield))))
