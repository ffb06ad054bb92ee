;; n parked tasks are cancelled, and joined.
(define-module (prompt cancel)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks crowd)
  #:export (main))

(define (main arguments)
  (run-workload arguments "cancel" '((n . 1))
    (lambda ()
      (hold "base" 0)
      (repeat (lambda (tasks) (cancel-all tasks 0))
              #:prepare (lambda () (gather (argument 'n) 0)))
      (hold "released" 0))))
