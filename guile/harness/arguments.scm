;; Reads key=value words against rules, and names precisely what is wrong with them.
(define-module (harness arguments)
  #:use-module (ice-9 match)
  #:use-module (srfi srfi-1)
  #:export (parse-arguments usage))

;; The rule and the default of the keys that every workload understands.
(define shared '((iterations 1 1) (min_warm_ms 0 0) (nonce 0 0) (trace flag 0)))

(define (usage template . values)
  "Raised for a wrong command line."
  (throw 'usage (apply format #f template values)))

(define digits (string->char-set "0123456789"))

(define (read-integer key text least most)
  (let ((value (and (string-every digits text) (string->number text))))
    (unless (and value (>= value least))
      (usage "~a=~a must be an integer of at least ~a" key text least))
    (when (> value most)
      (usage "~a=~a must be 0 or 1" key text))
    value))

(define (read-value key text rule)
  (match rule
    ((? integer?) (read-integer key text rule +inf.0))
    ('flag (read-integer key text 0 1))
    ((words ...)
     (unless (member text words)
       (usage "~a=~a must be one of ~a" key text (string-join words ", ")))
     text)))

(define (parse-arguments words rules)
  "The values of all keys, as an association list. A rule is a key with the least value of an integer, a list of words, or `flag`, which
may be left out."
  (define known
    (append rules (map (match-lambda ((key rule _) (cons key rule))) shared)))
  (define (add word given)
    (let* ((place (or (string-index word #\=) (usage "~s is not key=value" word)))
           (key (string->symbol (substring word 0 place)))
           (rule (or (assq key known) (usage "unknown key ~a" key))))
      (when (assq key given)
        (usage "~a is given twice" key))
      (acons key (read-value key (substring word (1+ place)) (cdr rule)) given)))
  (define (add-default rule given)
    (cond ((assq (car rule) given) given)
          ((eq? (cdr rule) 'flag) (acons (car rule) 0 given))
          (else (usage "~a is missing" (car rule)))))
  (append (fold add-default (fold add '() words) rules)
          (map (match-lambda ((key _ default) (cons key default))) shared)))
