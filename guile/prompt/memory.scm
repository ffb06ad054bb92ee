;; Parks n tasks that hold nothing but their number.
(define-module (prompt memory)
  #:use-module (prompt tasks gate)
  #:export (main))

(define (body i)
  (wait-at-gate i)
  i)

(define (main arguments)
  (measure arguments "memory" body))
