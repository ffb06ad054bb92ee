#lang racket/base

;; Copies folders of sources into another one, and compiles what is in them there: racket build.rkt INTO FOLDER ...

(require compiler/cm
         racket/file
         racket/path)

(define into (vector-ref (current-command-line-arguments) 0))
(define folders (cdr (vector->list (current-command-line-arguments))))

(define (copy folder)
  (define copied (build-path into (file-name-from-path folder)))
  (delete-directory/files copied #:must-exist? #f)
  (copy-directory/files folder copied)
  copied)

(define (source? file)
  (path-has-extension? file #".rkt"))

(make-directory* into)
;; All are there before the first is compiled: they name each other.
(define copies (map copy folders))
(for* ([folder (in-list copies)] [file (in-list (find-files source? folder))])
  (managed-compile-zo file))
