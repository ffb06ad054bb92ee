;; Starting tasks that have numbers, and what a trace tells of them.
(define-module (prompt tasks crew)
  #:use-module (harness program)
  #:use-module (prompt tasks scheduler)
  #:export (start start-next start-resuming run-workload))

(define (start i body)
  "Starts task i; joining it gives what the body returned."
  (if (traced?)
      (start-resuming i (lambda () (record 'run i) (body)))
      (spawn-task body)))

(define (start-resuming i body)
  "The same for a task that records by itself when it is resumed."
  (if (traced?)
      (begin
        (record 'spawn i)
        (let ((task (spawn-task (lambda () (let ((value (body))) (record 'done i) value)))))
          (record 'spawned i)
          task))
      (spawn-task body)))

(define number -1)

(define (start-next body)
  "The same for a task that others than the root start: its number is the next."
  (set! number (1+ number))
  (start number body))

;; An address is given anew once its object is gone, so none of them goes.
(define seen '())

(define (unit)
  (let ((task (running-task)))
    (set! seen (cons task seen))
    (if task
        (string-append "task-" (number->string (object-address task) 16))
        "main")))

(define (run-workload arguments workload rules main)
  "Runs a workload's main procedure as the root task."
  (run arguments workload rules (lambda () (run-scheduler main)) #:unit-of unit))
