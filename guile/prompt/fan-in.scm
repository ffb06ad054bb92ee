;; p producers send m messages each to one consumer through one channel.
(define-module (prompt fan-in)
  #:use-module (harness program)
  #:use-module (ice-9 match)
  #:use-module (prompt tasks channel)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (main))

(define room 128)

(define (produce channel message m)
  (do ((i 0 (1+ i)))
      ((= i m))
    (put-message channel message)))

(define (consume channel messages)
  "How many messages came, and their sum."
  (let next ((received 0) (sum 0))
    (if (< received messages)
        (next (1+ received) (+ sum (get-message channel)))
        (cons received sum))))

(define (fan-in first p m)
  (let* ((channel (make-channel room))
         (producers (map-in-order (lambda (i) (start i (lambda () (produce channel (+ first i 1) m)))) (iota p)))
         (consumer (start p (lambda () (consume channel (* p m))))))
    (let collect ((producers producers) (finished 0))
      (if (null? producers)
          (match (join consumer)
            ((messages . sum)
             (values messages `((finished . ,(1+ finished)) (messages . ,messages) (checksum . ,sum)))))
          (begin
            (join (car producers))
            (collect (cdr producers) (1+ finished)))))))

(define (main arguments)
  (run-workload arguments "fan-in" '((p . 1) (m . 1))
    (lambda ()
      (repeat (lambda () (fan-in (nonce) (argument 'p) (argument 'm)))))))
