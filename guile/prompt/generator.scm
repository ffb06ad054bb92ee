;; Resumes one coroutine n times by hand: it gets a value through its continuation, and hands one out to the prompt.
(define-module (prompt generator)
  #:use-module (harness program)
  #:use-module (ice-9 control)
  #:use-module (srfi srfi-11)
  #:export (main))

(define tag (make-prompt-tag "generator"))

(define (add-often value n)
  "Hands out one more than it was sent last."
  (let next ((value value) (left n))
    (if (zero? left)
        (begin
          (record 'done 0)
          value)
        (let ((sent (abort-to-prompt tag value)))
          (record 'run 0)
          (next (1+ sent) (1- left))))))

(define (make-adder n)
  "What begins it: given a value, it returns what continues it, which is nothing once it has ended, and what it handed out."
  (lambda (value)
    (values #f (add-often value n))))

(define (resume coroutine value)
  (call-with-prompt tag
    (lambda ()
      (coroutine value))
    (lambda (continuation value)
      (values continuation value))))

(define (resume-often first n)
  (record 'spawn 0)
  (let ((adder (make-adder n)))
    (record 'spawned 0)
    (let-values (((coroutine value) (resume adder first)))
      (let next ((coroutine coroutine) (value value) (left n))
        (if (zero? left)
            (values (- value first) `((finished . ,(if coroutine 0 1)) (checksum . ,value)))
            (let-values (((coroutine value) (resume coroutine value)))
              (next coroutine value (1- left))))))))

(define (unit)
  "Nobody but the language knows of it: that it runs."
  (if (suspendable-continuation? tag) "generator" "main"))

(define (main arguments)
  (run arguments "generator" '((n . 1))
    (lambda ()
      (repeat (lambda () (resume-often (nonce) (argument 'n)))))
    #:unit-of unit))
