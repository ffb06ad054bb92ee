;; Parks n tasks at one gate and holds the process still before, while and after they live.
(define-module (prompt tasks gate)
  #:use-module (harness program)
  #:use-module (ice-9 q)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (wait-at-gate measure))

(define parked 0)
(define waiting (make-q))

(define (wait-at-gate i)
  "Parks task i until the gate is opened."
  (record 'park i)
  (set! parked (1+ parked))
  (wait-in waiting)
  (set! parked (1- parked)))

(define (open-gate)
  (unless (q-empty? waiting)
    (wake-first waiting)
    (open-gate)))

(define (live body)
  "The tasks are gone, handles and all, when it returns what they added up to."
  (let* ((tasks (map-in-order (lambda (i) (start i (lambda () (body i)))) (iota (argument 'n) (nonce))))
         (created (length tasks)))
    (yield)
    (hold-twice "live" parked)
    (open-gate)
    (let collect ((tasks tasks) (finished 0) (checksum 0))
      (if (null? tasks)
          (values finished `((created . ,created) (finished . ,finished) (checksum . ,checksum)))
          (collect (cdr tasks) (1+ finished) (+ checksum (join (car tasks))))))))

(define (live-between-holds body)
  (hold "base" 0)
  (call-with-values (lambda () (live body))
    (lambda (ops evidence)
      (hold-twice "released" parked)
      (values ops evidence))))

(define (measure arguments workload body)
  "The whole program of a memory workload: `body` is given its number, waits at the gate once, and returns the number."
  (run-workload arguments workload '((n . 1))
    (lambda ()
      (lap (lambda () (live-between-holds body))))))
