;; Compiles every file with the compiler's warnings, none of which may come, and looks at the layout.
(use-modules (ice-9 ftw) (ice-9 rdelim) (ice-9 regex) (srfi srfi-1) (system base compile))

(define level 2)        ; at 3 it tells of variables that match and the library's test-equal bind and don't use
(define longest 140)
(define folder "../.build/guile/lint")
(define failed? #f)

;; The procedures that define-record-type makes are used by those who ask for them as values, and that is nobody.
(define expected "unused local top-level variable `%.*-procedure'$")

(define (complain file number text)
  (set! failed? #t)
  (format (current-error-port) "~a:~a: ~a\n" file number text))

(define (check-layout file)
  (call-with-input-file file
    (lambda (port)
      (let next ((line (read-line port)) (number 1))
        (unless (eof-object? line)
          (when (> (string-length line) longest)
            (complain file number (format #f "longer than ~a characters" longest)))
          (when (or (string-index line #\tab) (string-suffix? " " line))
            (complain file number "a tab, or a blank at the end"))
          (next (read-line port) (1+ number)))))))

(define (check-warnings file)
  (let ((said (call-with-output-string
                (lambda (port)
                  (parameterize ((current-warning-port port))
                    (compile-file file #:output-file (string-append folder "/" file ".go") #:warning-level level))))))
    (for-each (lambda (line)
                (unless (or (string-null? line) (string-match expected line))
                  (set! failed? #t)
                  (format (current-error-port) "~a: ~a\n" file line)))
              (string-split said #\newline))))

(define (sources folder)
  (map (lambda (file) (string-append folder "/" file))
       (scandir folder (lambda (file) (string-suffix? ".scm" file)))))

(set! %load-path (cons (getcwd) %load-path))
;; Whole, with all that macros need: from its compilation alone this process has a module's macros and nothing else.
(for-each resolve-interface '((harness program) (prompt tasks crew) (prompt tasks poller) (prompt tasks token)))
(for-each
 (lambda (file)
   (check-layout file)
   (check-warnings file))
 (append-map sources '("." "harness" "prompt/tasks" "prompt" "test")))
(exit (not failed?))
