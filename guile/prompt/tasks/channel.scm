;; Hands messages over in order, with room for so many: who finds it full or empty waits, first come, first served.
(define-module (prompt tasks channel)
  #:use-module (ice-9 q)
  #:use-module (prompt tasks scheduler)
  #:use-module (srfi srfi-9)
  #:export (make-channel put-message get-message))

(define-record-type <channel>
  (make-empty-channel room count messages putters getters)
  channel?
  (room channel-room)
  (count channel-count set-channel-count!)
  (messages channel-messages)
  (putters channel-putters)
  (getters channel-getters))

(define (make-channel room)
  (make-empty-channel room 0 (make-q) (make-q) (make-q)))

(define (put-message channel message)
  (let wait ()
    (when (= (channel-count channel) (channel-room channel))
      (wait-in (channel-putters channel))
      (wait)))
  (enq! (channel-messages channel) message)
  (set-channel-count! channel (1+ (channel-count channel)))
  (wake-first (channel-getters channel)))

(define (get-message channel)
  (let wait ()
    (when (zero? (channel-count channel))
      (wait-in (channel-getters channel))
      (wait)))
  (set-channel-count! channel (1- (channel-count channel)))
  (let ((message (deq! (channel-messages channel))))
    (wake-first (channel-putters channel))
    message))
