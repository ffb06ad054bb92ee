#lang racket/base

;; The smallest process, or one thread. The harness is loaded only for the report that verify asks for: it lies in a module of its own.

(provide first-task)

(define (first-task)
  (define result (box 0))
  (thread-wait (thread (λ () (set-box! result 1))))
  (unbox result))

(module* report racket/base
  (require (submod "..")
           "../harness/program.rkt")

  (run "startup"
       (hasheq 'mode '("bare" "first-task"))
       #:flags '(report)
       (λ (program)
         (define tasks (if (equal? (argument program 'mode) "bare") (λ () 0) first-task))
         (lap program (λ () (values 1 (hasheq 'finished (tasks))))))))

(define report
  (module-path-index-join '(submod "." report) (variable-reference->module-path-index (#%variable-reference))))

(define words (vector->list (current-command-line-arguments)))
(cond
  [(equal? words '("mode=bare")) (void)]
  [(equal? words '("mode=first-task")) (exit (if (= (first-task) 1) 0 1))]
  [else (dynamic-require report #f)])
