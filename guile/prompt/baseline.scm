;; Calls a plain procedure n times and sums what it returns: the language without tasks. The compiler would put the procedure where it
;; is called, if the module didn't say that its bindings may change.
(define-module (prompt baseline)
  #:declarative? #f
  #:use-module (harness program)
  #:export (main))

(define (body i)
  i)

(define (call first n)
  (let next ((i first) (finished 0) (checksum 0))
    (if (< i (+ first n))
        (next (1+ i) (1+ finished) (+ checksum (body i)))
        (values finished `((finished . ,finished) (checksum . ,checksum))))))

(define (main arguments)
  (run arguments "baseline" '((n . 1))
    (lambda ()
      (repeat (lambda () (call (nonce) (argument 'n)))))))
