;; The tasks of hand-off and ring.
(define-module (prompt tasks token)
  #:use-module (harness program)
  #:use-module (prompt tasks channel)
  #:use-module (prompt tasks crew)
  #:use-module (prompt tasks scheduler)
  #:export (prepare pass))

(define (play i inbox outbox rounds)
  "Takes the token, adds one and passes it on; returns how often it had it."
  (let next ((received 0))
    (if (< received rounds)
        (let ((token (get-message inbox)))
          (record 'run i)
          (put-message outbox (1+ token))
          (next (1+ received)))
        received)))

(define (prepare k rounds)
  "k players in a ring, with a channel with room for one each, at which all of them wait when this returns. The first one's, and the
players."
  (let* ((channels (map-in-order (lambda (_) (make-channel 1)) (iota k)))
         (players (map-in-order (lambda (i inbox outbox) (start-resuming i (lambda () (play i inbox outbox rounds))))
                                (iota k)
                                channels
                                (append (cdr channels) (list (car channels))))))
    (yield)
    (values (car channels) players)))

(define (pass channel players)
  "Gives the first player the token, joins them all, and takes the token that the last one sent."
  (put-message channel (nonce))
  (let collect ((players players) (finished 0) (messages 0))
    (if (null? players)
        (values messages `((finished . ,finished) (messages . ,messages) (checksum . ,(get-message channel))))
        (collect (cdr players) (1+ finished) (+ messages (join (car players)))))))
