;; Lets k tasks yield m times each, by the scheduler's yield.
(define-module (prompt switch)
  #:use-module (harness program)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define last #f)
(define switches 0)

(define (look i)
  "Looks at every resume; without trace=1 or count=1, which are never timed, it isn't called."
  (record 'run i)
  (unless (eqv? i last)
    (set! switches (1+ switches)))
  (set! last i))

(define (yield-often i first m watched?)
  "How often it was resumed, counted from the nonce on."
  (let again ((count first))
    (if (< count (+ first m))
        (begin
          (yield)
          (when watched? (look i))
          (again (1+ count)))
        count)))

(define (switch-all first k m)
  (let* ((count? (= 1 (argument 'count)))
         (watched? (or count? (traced?)))
         (tasks (map-in-order (lambda (i) (start-resuming i (lambda () (yield-often i first m watched?)))) (iota k))))
    (let collect ((tasks tasks) (finished 0) (checksum 0))
      (if (null? tasks)
          (let ((resumes (- checksum (* k first))))
            (values resumes
                    `((finished . ,finished) (resumes . ,resumes) (checksum . ,checksum)
                      ,@(if count? `((true_switches . ,switches)) '()))))
          (collect (cdr tasks) (1+ finished) (+ checksum (join (car tasks))))))))

(define (main arguments)
  (run-workload arguments "switch" '((k . 1) (m . 1) (count . flag))
    (lambda ()
      (repeat (lambda () (switch-all (nonce) (argument 'k) (argument 'm)))))))
