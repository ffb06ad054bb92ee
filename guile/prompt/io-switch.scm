;; Two tasks pass a byte to and fro over a pair of Unix stream sockets.
(define-module (prompt io-switch)
  #:use-module (harness program)
  #:use-module (ice-9 binary-ports)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks poller)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define letter (char->integer #\x))

(define (receive-byte port)
  (let ((byte (get-u8 port)))
    (when (eof-object? byte)
      (error "the other side is gone"))
    byte))

(define (ask port m)
  (let next ((received 0))
    (if (< received m)
        (begin
          (put-u8 port letter)
          (receive-byte port)
          (next (1+ received)))
        received)))

(define (answer port m)
  (let next ((received 0))
    (if (< received m)
        (begin
          (put-u8 port (receive-byte port))
          (next (1+ received)))
        received)))

(define (alternate one other m)
  (let* ((asking (start 0 (lambda () (ask one m))))
         (answering (start 1 (lambda () (answer other m)))))
    (let collect ((tasks (list asking answering)) (finished 0) (messages 0))
      (if (null? tasks)
          (values (quotient messages finished) `((finished . ,finished) (messages . ,messages)))
          (collect (cdr tasks) (1+ finished) (+ messages (join (car tasks))))))))

(define (main arguments)
  (run-workload arguments "io-switch" '((m . 1))
    (lambda ()
      (let ((pair (socketpair PF_UNIX SOCK_STREAM 0)))
        (make-suspendable! (car pair))
        (make-suspendable! (cdr pair))
        (repeat (lambda () (alternate (car pair) (cdr pair) (argument 'm))))))))
