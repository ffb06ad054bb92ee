;; k tasks sleep m times each for no time at all.
(define-module (prompt sleep-zero)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks poller)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define (sleep-often i first m)
  "How often it woke, counted from the nonce on."
  (let again ((count first))
    (if (< count (+ first m))
        (begin
          (sleep-for 0)
          (record 'run i)
          (again (1+ count)))
        count)))

(define (sleep-all first k m)
  (let ((tasks (map-in-order (lambda (i) (start-resuming i (lambda () (sleep-often i first m)))) (iota k))))
    (let collect ((tasks tasks) (finished 0) (checksum 0))
      (if (null? tasks)
          (values (- checksum (* finished first)) `((finished . ,finished) (checksum . ,checksum)))
          (collect (cdr tasks) (1+ finished) (+ checksum (join (car tasks))))))))

(define (main arguments)
  (run-workload arguments "sleep-zero" '((k . 1) (m . 1))
    (lambda ()
      (repeat (lambda () (sleep-all (nonce) (argument 'k) (argument 'm)))))))
