;; Writes JSON: the language has no library for it.
(define-module (harness json)
  #:use-module (ice-9 match)
  #:export (write-json))

(define (write-separated write-one items)
  (match items
    (() #t)
    ((first . rest)
     (write-one first)
     (for-each (lambda (item) (display ",") (write-one item)) rest))))

(define (write-member member)
  (write-json (car member))
  (display ":")
  (write-json (cdr member)))

(define (write-json value)
  "Vectors are arrays, association lists objects. No text here has a character that JSON escapes in another way than Scheme."
  (match value
    (#t (display "true"))
    (#f (display "false"))
    ((? integer?) (display value))
    ((? string?) (write value))
    ((? symbol?) (write (symbol->string value)))
    ((? vector?) (display "[") (write-separated write-json (vector->list value)) (display "]"))
    (((_ . _) ...) (display "{") (write-separated write-member value) (display "}"))))
