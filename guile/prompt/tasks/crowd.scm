;; Tasks that wait until they are cancelled.
(define-module (prompt tasks crowd)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (gather cancel-all))

(define cleaned 0)

;; The clean-up is behind a catch: that of dynamic-wind would run at every wait, which leaves its extent.
(define (call-with-clean-up body)
  (catch #t
    body
    (lambda failure
      (set! cleaned (1+ cleaned))
      (apply throw failure))))

(define (wait-for-cancellation i)
  (catch 'cancelled
    (lambda ()
      (call-with-clean-up
       (lambda ()
         (record 'park i)
         (park)
         (error "a task ran past its wait"))))
    (const #t)))

(define (gather n first)
  "n tasks, numbered from `first` on. All of them wait when it returns: after one turn of the scheduler they do, and in another one those
that only gave way go on."
  (set! cleaned 0)
  (let ((tasks (map-in-order (lambda (i) (start i (lambda () (wait-for-cancellation i))))
                             (iota n first))))
    (yield)
    (yield)
    tasks))

(define (cancel-all tasks first)
  (let ((waited (- (length tasks) cleaned)))
    (for-each cancel tasks)
    (let collect ((tasks tasks) (finished 0))
      (if (null? tasks)
          (values finished `((created . ,waited) (cancelled . ,cleaned) (finished . ,finished)))
          (begin
            (join (car tasks))
            (record 'collect (+ first finished))
            (collect (cdr tasks) (1+ finished)))))))
