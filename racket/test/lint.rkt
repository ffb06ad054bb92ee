#lang racket/base

;; Compiles every file, and complains of libraries that it names and doesn't need, of long lines, tabs and blanks at the end of a line.

(require macro-debugger/analysis/check-requires
         racket/file
         racket/path
         racket/string)

(define most-columns 140)
(define failed? #f)

(define (complain form . parts)
  (eprintf "~a\n" (apply format form parts))
  (set! failed? #t))

(define (source? file)
  (path-has-extension? file #".rkt"))

(define (check-lines file)
  (for ([line (in-list (file->lines file))] [number (in-naturals 1)])
    (when (or (> (string-length line) most-columns) (regexp-match? #rx"\t| $" line))
      (complain "~a:~a: a long line, a tab, or a blank at its end" file number))))

(define (check-libraries file)
  (for ([library (in-list (show-requires file))])
    (unless (eq? (car library) 'keep)
      (complain "~a: ~a" file (string-join (map (λ (part) (format "~s" part)) library))))))

(for ([file (in-list (find-files source? (current-directory)))])
  (check-lines file)
  (check-libraries file))
(exit (if failed? 1 0))
