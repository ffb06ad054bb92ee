;; Compiles the harness and a runtime ahead of time, as `guild compile -O2` does: guile build.scm RUNTIME FOLDER, in the language's folder.
(use-modules (ice-9 ftw) (ice-9 match) (srfi srfi-1) (system base compile))

(define level 2)

(define (sources folder)
  (map (lambda (file) (string-append folder "/" file))
       (scandir folder (lambda (file) (string-suffix? ".scm" file)))))

(define (compile-into folder file)
  (let ((target (string-append folder "/" (string-drop-right file (string-length "scm")) "go")))
    ;; From its compilation alone this process has a module's macros and nothing else.
    (save-module-excursion
     (lambda ()
       (load-compiled (compile-file file #:output-file target #:optimization-level level))))))

(match (command-line)
  ((_ runtime folder)
   (set! %load-path (cons (getcwd) %load-path))
   ;; Programs say it in their hello.
   (default-optimization-level level)
   (for-each (lambda (file) (compile-into folder file))
             (append-map sources (let ((runtime (basename runtime)))
                                   (list "harness" (string-append runtime "/tasks") runtime))))))
