;; Parks n tasks, each eight calls deep with 1 KiB of its own. The compiler would make one procedure of the eight, if the module didn't say
;; that its bindings may change.
(define-module (prompt memory-state)
  #:declarative? #f
  #:use-module (prompt tasks gate)
  #:use-module (rnrs bytevectors)
  #:export (main))

(define depth 8)
(define size 1024)
(define kinds 251)

(define (descend i level)
  "What the bytes say of i."
  (if (< level depth)
      ;; A call in the last place would leave no frame behind.
      (logand 255 (descend i (1+ level)))
      (let ((state (make-bytevector size (remainder i kinds))))
        (wait-at-gate i)
        (bytevector-u8-ref state (1- size)))))

(define (body i)
  (+ (- i (remainder i kinds)) (descend i 1)))

(define (main arguments)
  (measure arguments "memory-state" body))
