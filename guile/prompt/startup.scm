;; The smallest process, or one task. The harness is loaded only for the report that verify asks for, the scheduler for a task.
(define-module (prompt startup)
  #:autoload (harness program) (argument lap)
  #:autoload (prompt tasks crew) (run-workload start)
  #:autoload (prompt tasks scheduler) (run-scheduler spawn-task join)
  #:export (main))

(define (first-task)
  (let ((result #f))
    (run-scheduler (lambda () (set! result (join (spawn-task (const 1))))))
    result))

(define (operation)
  (values 1 `((finished . ,(if (string=? "bare" (argument 'mode)) 0 (join (start 0 (const 1))))))))

(define (report arguments)
  (run-workload arguments "startup" '((mode "bare" "first-task") (report . flag))
    (lambda ()
      (lap operation))))

(define (main arguments)
  (cond ((equal? (cdr arguments) '("mode=first-task")) (exit (= 1 (first-task))))
        ((not (equal? (cdr arguments) '("mode=bare"))) (report arguments))))
