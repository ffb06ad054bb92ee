;; Sleeps, and sockets that have nothing to read: the kernel is asked for them when no task can go on.
(define-module (prompt tasks poller)
  #:use-module (harness program)
  #:use-module (ice-9 match)
  #:use-module (ice-9 suspendable-ports)
  #:use-module (prompt tasks scheduler)
  #:use-module ((srfi srfi-1) #:select (alist-delete))
  #:use-module (srfi srfi-9)
  #:export (sleep-for make-suspendable!))

;; Who sleeps, the earliest at the root of a pairing heap; #f is an empty one.
(define-record-type <sleeper>
  (make-sleeper due task later)
  sleeper?
  (due sleeper-due)
  (task sleeper-task)
  (later sleepers-later))

(define sleepers #f)

(define (meld one other)
  (cond ((not one) other)
        ((not other) one)
        ((<= (sleeper-due one) (sleeper-due other)) (adopt one other))
        (else (adopt other one))))

(define (adopt sleeper child)
  (make-sleeper (sleeper-due sleeper) (sleeper-task sleeper) (cons child (sleepers-later sleeper))))

(define (meld-pairs heaps)
  (match heaps
    (() #f)
    ((heap) heap)
    ((one other . rest) (meld (meld one other) (meld-pairs rest)))))

;; Descriptors that tasks wait for, each with its task.
(define readers '())

(define (sleep-for ns)
  (set! sleepers (meld sleepers (make-sleeper (+ (clock) ns) (current-task) '())))
  (park))

(define (wait-for-input port)
  (set! readers (acons (fileno port) (current-task) readers))
  (park))

(define (make-suspendable! port)
  "Reading from the port parks the task until there is something to read."
  (fcntl port F_SETFL (logior O_NONBLOCK (fcntl port F_GETFL)))
  (install-suspendable-ports!)
  (current-read-waiter wait-for-input))

(define (wake-reader descriptor)
  (wake (assv-ref readers descriptor))
  (set! readers (alist-delete descriptor readers)))

(define (wake-sleepers now)
  (when (and sleepers (<= (sleeper-due sleepers) now))
    (wake (sleeper-task sleepers))
    (set! sleepers (meld-pairs (sleepers-later sleepers)))
    (wake-sleepers now)))

(define (time-left)
  "Microseconds until the first wakes. Rounded up, or it would wake too early."
  (and sleepers
       (max 0 (ceiling-quotient (- (sleeper-due sleepers) (clock)) 1000))))

(define (wait-for-first)
  "Waits for the first that happens; #f if nobody waits for anything."
  (let ((left (time-left)))
    (and (or left (pair? readers))
         (match (select (map car readers) '() '()
                        (and left (quotient left 1000000))
                        (and left (remainder left 1000000)))
           ((ready _ _)
            (for-each wake-reader ready)
            (wake-sleepers (clock))
            #t)))))

(ask-when-idle! wait-for-first)
