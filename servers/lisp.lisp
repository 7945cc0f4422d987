; A server of Common Lisp with Hunchentoot, for `npm run test:servers`: sbcl --script lisp.lisp
(require :asdf)
(asdf:load-system :hunchentoot)
(in-package :hunchentoot)

(defvar *busy* nil)
(defvar *count* 0)
(defconstant +limit+ 5000000)

(defun quoted (text)
  (with-output-to-string (out)
    (write-char #\" out)
    (loop for c across text
          do (case c
               (#\Newline (write-string "\\n" out))
               (#\Return (write-string "\\r" out))
               ((#\" #\\) (write-char #\\ out) (write-char c out))
               (t (write-char c out))))
    (write-char #\" out)))

(defun respond (status body)
  (setf (return-code*) status (content-type*) "application/json")
  body)

(defun refuse (status) (respond status "{\"ok\":false,\"error\":\"refused\"}"))

(defun size-of (path) (with-open-file (in path :element-type '(unsigned-byte 8)) (file-length in)))

(define-easy-handler (upload :uri "/api/files.upload") ()
  (let* ((file (post-parameter "file"))
         (comment (or (post-parameter "initial_comment") ""))
         (header (format nil "Bearer ~a" (sb-posix:getenv "TOKEN"))))
    (cond ((not (equal (header-in* :authorization) header)) (refuse 401))
          ((not (and (listp file) (plusp (length (second file))))) (refuse 400))
          ((> (size-of (first file)) +limit+) (refuse 413))
          ((and (equal comment "busy") (not *busy*)) (setf *busy* t) (refuse 429))
          ((equal comment "throw") (error "no disk"))
          (t (let ((ts (format nil "~d" (incf *count*))))
               (uiop:copy-file (first file) (format nil "uploads/~a" ts))
               (format t "{\"ts\":~a,\"name\":~a,\"type\":~a,\"comment\":~a,\"channels\":[~{~a~^,~}]}~%"
                       (quoted ts) (quoted (second file)) (quoted (third file)) (quoted comment)
                       (mapcar #'quoted (uiop:split-string (post-parameter "channels") :separator ",")))
               (finish-output)
               (when (equal comment "exit") (sb-ext:exit :code 1 :abort t))
               (respond 200 "{\"ok\":true}"))))))

(setf *default-external-format* :utf-8 *hunchentoot-default-external-format* (flexi-streams:make-external-format :utf-8))
(start (make-instance 'easy-acceptor :address "127.0.0.1" :port (parse-integer (sb-posix:getenv "PORT"))
                      :access-log-destination nil :message-log-destination nil))
(loop (sleep 60))
