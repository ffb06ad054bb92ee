;; The language has delimited continuations, and leaves what resumes them to others. Here the tasks that can go on stand in one queue,
;; first in, first out. A task that waits is a continuation, from its wait up to the scheduler's prompt.
(define-module (prompt tasks scheduler)
  #:use-module ((ice-9 control) #:select (suspendable-continuation?))
  #:use-module (ice-9 q)
  #:use-module (srfi srfi-9)
  #:export (spawn-task join yield park wake wait-in wake-first cancel current-task running-task ask-when-idle! run-scheduler))

(define-record-type <task>
  (make-task continue)
  task?
  (continue task-continue set-task-continue!)
  (done task-done? set-task-done!)
  (value task-value set-task-value!)
  (joiner task-joiner set-task-joiner!)
  (cancelled task-cancelled? set-task-cancelled!))

(define tag (make-prompt-tag "scheduler"))
(define ready (make-q))
(define current #f)
(define ask (const #f))

(define (spawn-task body)
  "Starts a task, which waits for its turn."
  (let ((task (make-task #f)))
    (set-task-continue! task (lambda () (end task (body))))
    (wake task)
    task))

(define (end task value)
  (set-task-value! task value)
  (set-task-done! task #t)
  (and=> (task-joiner task) wake))

(define (join task)
  "What the task's body returned; waits for it. One task may ask."
  (unless (task-done? task)
    (set-task-joiner! task current)
    (park))
  (task-value task))

(define (yield)
  (wake current)
  (abort-to-prompt tag))

(define (park)
  "Gives way until somebody wakes this task."
  (abort-to-prompt tag)
  (when (task-cancelled? current)
    (throw 'cancelled)))

(define (wake task)
  (enq! ready task))

(define (wait-in line)
  (enq! line current)
  (park))

(define (wake-first line)
  (unless (q-empty? line)
    (wake (deq! line))))

(define (cancel task)
  "Throws out of the wait of a task that nobody else will wake."
  (set-task-cancelled! task #t)
  (wake task))

(define (current-task)
  current)

(define (running-task)
  "The same, if the language says that the scheduler's prompt is around what runs."
  (and (suspendable-continuation? tag) current))

(define (ask-when-idle! procedure)
  "What is called when no task can go on: it wakes some that wait for the kernel, or returns #f where there are none."
  (set! ask procedure))

(define (turn task)
  (let ((continue (task-continue task)))
    (set! current task)
    ;; Nothing holds on to what has gone on already.
    (set-task-continue! task #f)
    (call-with-prompt tag
      continue
      (lambda (continuation)
        (set-task-continue! task continuation)))))

(define (run-scheduler body)
  "Runs the root and all that it starts, until the root ends. An error of any of them ends it, as does a root that waits for ever."
  (let ((root (spawn-task body)))
    (let next ()
      (unless (task-done? root)
        (if (q-empty? ready)
            (unless (ask)
              (error "every task waits for another"))
            (turn (deq! ready)))
        (next)))))
