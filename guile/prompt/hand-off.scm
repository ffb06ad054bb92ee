;; Two tasks pass a token to and fro, m times each, through channels with room for one.
(define-module (prompt hand-off)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks token)
  #:export (main))

(define (main arguments)
  (run-workload arguments "hand-off" '((m . 1))
    (lambda ()
      (repeat pass #:prepare (lambda () (prepare 2 (argument 'm)))))))
