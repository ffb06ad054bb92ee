#lang racket/base

;; Reads key=value words against rules, and names precisely what is wrong with them.

(require racket/string)

(provide parse
         usage
         exn:usage?)

;; A wrong command line.
(struct exn:usage exn:fail:user ())

(define (usage form . parts)
  (raise (exn:usage (apply format form parts) (current-continuation-marks))))

;; The least value and the default of the keys that every workload understands.
(define shared
  (hasheq 'iterations '(1 . 1) 'min_warm_ms '(0 . 0) 'trace '(0 . 0) 'nonce '(0 . 0)))

;; A rule is the least value of an integer, or a list of words; flags are keys that may be left out.
;; Returns the values of all keys.
(define (parse words rules [own-flags '()])
  (define flags (cons 'trace own-flags))
  (define (rule-of key)
    (define of-all (hash-ref shared key #f))
    (cond
      [(hash-ref rules key #f)]
      [of-all (car of-all)]
      [(memq key flags) 0]
      [else (usage "unknown key ~a" key)]))
  (define given
    (for/fold ([values (hasheq)]) ([word (in-list words)])
      (define parts (or (regexp-match #rx"^([^=]*)=(.*)$" word) (usage "~s is not key=value" word)))
      (define key (string->symbol (cadr parts)))
      (when (hash-has-key? values key)
        (usage "~a is given twice" key))
      (hash-set values key (value-of key (caddr parts) (rule-of key) (memq key flags)))))
  (for ([key (in-hash-keys rules)])
    (unless (hash-has-key? given key)
      (usage "~a is missing" key)))
  (define with-flags
    (for/fold ([values given]) ([flag (in-list flags)])
      (hash-set values flag (hash-ref values flag 0))))
  (for/fold ([values with-flags]) ([(key rule) (in-hash shared)])
    (hash-set values key (hash-ref values key (cdr rule)))))

(define (value-of key text rule flag?)
  (if (list? rule)
      (word-of key text rule)
      (integer-of key text rule flag?)))

(define (integer-of key text least flag?)
  (define value (and (regexp-match? #px"^[0-9]{1,18}$" text) (string->number text)))
  (unless (and value (>= value least))
    (usage "~a=~a must be an integer of at least ~a" key text least))
  (when (and flag? (> value 1))
    (usage "~a=~a must be 0 or 1" key text))
  value)

(define (word-of key text known)
  (unless (member text known)
    (usage "~a=~a must be one of ~a" key text (string-join known ", ")))
  text)
