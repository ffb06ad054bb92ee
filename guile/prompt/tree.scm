;; A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf.
(define-module (prompt tree)
  #:use-module (harness program)
  #:use-module (ice-9 match)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define children 10)

(define (node first leaves)
  "How many tasks were joined in a task, itself included, and the sum of its leaves."
  (if (= leaves 1)
      (cons 1 first)
      (let* ((share (quotient leaves children))
             (tasks (map-in-order (lambda (i) (start-next (lambda () (node (+ first (* i share)) share))))
                                  (iota children))))
        (let collect ((tasks tasks) (joined 1) (sum 0))
          (if (null? tasks)
              (cons joined sum)
              (match (join (car tasks))
                ((below . part) (collect (cdr tasks) (+ joined below) (+ sum part)))))))))

(define (grow first n)
  (match (join (start-next (lambda () (node first n))))
    ((tasks . sum) (values tasks `((finished . ,tasks) (checksum . ,sum))))))

(define (power-of-ten? n)
  (or (= n 1)
      (and (zero? (remainder n 10)) (power-of-ten? (quotient n 10)))))

(define (main arguments)
  (run-workload arguments "tree" '((n . 1))
    (lambda ()
      (let ((n (argument 'n)))
        (unless (power-of-ten? n)
          (usage "n=~a must be a power of ten" n))
        (repeat (lambda () (grow (nonce) n)))))))
