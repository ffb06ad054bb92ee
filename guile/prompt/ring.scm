;; k tasks, each waiting at a channel with room for one, pass a token round.
(define-module (prompt ring)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks token)
  #:export (main))

(define (main arguments)
  (run-workload arguments "ring" '((k . 1) (rounds . 1))
    (lambda ()
      (repeat pass #:prepare (lambda () (prepare (argument 'k) (argument 'rounds)))))))
