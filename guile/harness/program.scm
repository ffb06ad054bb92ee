;; One process: its arguments, the lines that it owes the runner, and the loop that times its operation.
(define-module (harness program)
  #:use-module (harness arguments)
  #:use-module (harness json)
  #:use-module (ice-9 rdelim)
  #:use-module (rnrs bytevectors)
  #:use-module ((srfi srfi-1) #:select (remove))
  #:use-module (system foreign)
  #:use-module (system foreign-library)
  #:use-module (system vm vm)
  #:re-export (usage)
  #:export (argument nonce traced? record clock lap repeat hold hold-twice series run))

(define ms 1000000)
(define most-iterations 10000)

(define given '())      ; the values of all keys
(define done 0)         ; iterations that are over
(define lines '())      ; what is written at the end, the last first
(define trace? #f)
(define events '())     ; of a trace, the last first
(define unit #f)        ; names what runs
(define start-ns 0)
(define start-cpu 0)

(define clock-gettime
  (foreign-library-function #f "clock_gettime" #:return-type int #:arg-types (list int '*)))
(define clock-monotonic 1)
(define timespec (make-bytevector 16))
(define timespec-pointer (bytevector->pointer timespec))

(define (clock)
  "Monotonic time in nanoseconds. The real time that Guile tells is that of day, which may be set."
  (unless (zero? (clock-gettime clock-monotonic timespec-pointer))
    (error "clock_gettime failed"))
  (+ (* 1000 ms (bytevector-s64-native-ref timespec 0)) (bytevector-s64-native-ref timespec 8)))

(define (cpu)
  "User and system time of the process, in nanoseconds."
  (* (get-internal-run-time) (quotient (* 1000 ms) internal-time-units-per-second)))

(define (argument key)
  (assq-ref given key))

(define (nonce)
  "The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one."
  (+ (argument 'nonce) done))

(define (traced?)
  trace?)

;; Records who runs when, where a trace was asked for.
(define-syntax-rule (record kind i)
  (when trace? (append-event kind i)))

(define (append-event kind i)
  (set! events (cons (vector kind i (unit)) events)))

(define (say line)
  (write-json line)
  (newline))

;; Becomes the level by which this file is compiled.
(define-syntax optimization-level
  (lambda (form)
    (syntax-case form ()
      ((name) (datum->syntax #'name ((@ (system base compile) default-optimization-level)))))))

(define (params rules)
  (map (lambda (rule) (assq (car rule) given))
       (remove (lambda (rule) (eq? (cdr rule) 'flag)) rules)))

(define (hello workload rules)
  (say `((type . hello) (protocol . 1) (runtime . ,(getenv "COROBENCH_RUNTIME"))
         (version . ,(version)) (language_version . ,(version))
         (workload . ,workload) (params . ,(params rules))
         (settings . ((optimization . ,(optimization-level)) (vm_engine . ,(vm-engine))))))
  (force-output))

(define (lap operation)
  "The time that an iteration took, in nanoseconds. The operation returns its operations and its evidence."
  (set! start-cpu (cpu))
  (set! start-ns (clock))
  (call-with-values operation
    (lambda (ops evidence)
      (let* ((elapsed (- (clock) start-ns))
             (used (- (cpu) start-cpu)))
        (set! lines (cons `((type . iteration) (index . ,done) (elapsed_ns . ,elapsed) (cpu_ns . ,used)
                            (ops . ,ops) (evidence . ,evidence))
                          lines))
        (set! done (1+ done))
        elapsed))))

(define* (repeat operation #:key (prepare values) (finish values))
  "Times the operation until that is enough; what `prepare` returns before each time is given to it, and then to `finish`, untimed."
  (let again ((warm 0))
    (call-with-values prepare
      (lambda prepared
        (let* ((elapsed (lap (lambda () (apply operation prepared))))
               (warm (if (> done 1) (+ warm elapsed) warm)))
          (apply finish prepared)
          (unless (or trace?
                      (>= done most-iterations)
                      (and (>= done (argument 'iterations)) (>= warm (* ms (argument 'min_warm_ms)))))
            (again warm)))))))

(define (hold point units)
  "Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration that is
under way."
  (let ((cpu-before (cpu))
        (before (clock)))
    (record 'hold -1)
    (say `((type . hold) (point . ,point) (units . ,units)))
    (force-output)
    (when (eof-object? (read-line))
      (error (string-append "stdin ended at the hold " point ": the runner is gone")))
    (set! start-ns (+ start-ns (- (clock) before)))
    (set! start-cpu (+ start-cpu (- (cpu) cpu-before)))))

(define (hold-twice point units)
  "As it is, and after a forced collection."
  (hold point units)
  (gc)
  (hold (string-append point "-collected") units))

(define (series name samples)
  "Raw samples in nanoseconds, in the order in which they happened."
  (set! lines (cons `((type . series) (name . ,name) (values . ,(list->vector samples))) lines)))

(define (write-all workload rules main)
  (hello workload rules)
  (main)
  (for-each say (reverse lines))
  (when trace?
    (say `((type . trace) (events . ,(list->vector (reverse events))))))
  (say '((type . end)))
  (force-output))

(define* (run arguments workload rules main #:key (unit-of (const "main")))
  "Runs a workload to its last line; `unit-of` names what runs, for a trace. What goes wrong ends the process, with 2 for a wrong command
line."
  (catch 'usage
    (lambda ()
      (unless (getenv "COROBENCH_RUNTIME")
        (usage "COROBENCH_RUNTIME is not set"))
      (set! given (parse-arguments (cdr arguments) rules))
      (set! trace? (= 1 (argument 'trace)))
      (set! unit unit-of)
      (setvbuf (current-output-port) 'block)
      (write-all workload rules main))
    (lambda (_ text)
      (format (current-error-port) "usage: ~a\n" text)
      (exit 2))))
