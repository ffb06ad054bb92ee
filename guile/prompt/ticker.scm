;; One task wakes on an absolute schedule while k others do nothing but yield.
(define-module (prompt ticker)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks poller)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define us 1000)
(define ended? #f)
(define lateness '())   ; of each tick, the last first

(define (keep-yielding)
  "How often it yielded. The kernel is asked when no task can go on, so a yield that lets timers fire is a sleep of zero."
  (let again ((count 0))
    (if ended?
        count
        (begin
          (sleep-for 0)
          (again (1+ count))))))

(define (tick ticks period)
  "How many ticks it took; one that is overdue it takes without a sleep."
  (let next ((due (+ (clock) period)) (taken 0))
    (if (< taken ticks)
        (let ((left (- due (clock))))
          (when (> left 0)
            (sleep-for left))
          (set! lateness (cons (max 0 (- (clock) due)) lateness))
          (next (+ due period) (1+ taken)))
        taken)))

(define (tick-loaded k ticks period)
  (let ((load (map-in-order (lambda (i) (start i keep-yielding)) (iota k))))
    ;; Back here, all of them have begun.
    (yield)
    (let ((taken (join (start k (lambda () (tick ticks period))))))
      (set! ended? #t)
      (let collect ((load load) (finished 1) (active 0) (yields 0))
        (if (null? load)
            (values taken `((finished . ,finished) (active . ,active) (yields . ,yields)))
            (let ((count (join (car load))))
              (collect (cdr load) (1+ finished) (if (zero? count) active (1+ active)) (+ yields count))))))))

(define (main arguments)
  (run-workload arguments "ticker" '((k . 1) (ticks . 1) (period_us . 1))
    (lambda ()
      (lap (lambda () (tick-loaded (argument 'k) (argument 'ticks) (* us (argument 'period_us)))))
      (series "lateness" (reverse lateness)))))
