#!/usr/bin/env bash
# Go: behind common middleware, the uploaded files stay in the temporary folder
#
# Guess:     the server removes the temporary files of a form at the end of the request, whatever
#            stands between it and the handler.
# Happens:   it removes those of its own Request. WithContext, StripPrefix, MaxBytesHandler and
#            TimeoutHandler pass on a copy, whose form it does not know: each file above the limit
#            of ParseMultipartForm (32 MB if FormFile calls it) stays. The handler has to call
#            RemoveAll().
# Versions:  Go 1.26.8, net/http
# Seen:      2026-11-28
# Who meets it: whoever runs a receiver of large files in Go, when the disk is full.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"

cat > main.go <<'GO'
package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"time"
)

type key struct{}

func receive(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseMultipartForm(1 << 10); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

func main() {
	handler := http.HandlerFunc(receive)
	withContext := func(w http.ResponseWriter, r *http.Request) {
		receive(w, r.WithContext(context.WithValue(r.Context(), key{}, "user")))
	}
	for _, each := range []struct {
		name    string
		handler http.Handler
	}{
		{"the handler alone", handler},
		{"WithContext", http.HandlerFunc(withContext)},
		{"StripPrefix", http.StripPrefix("/v1", handler)},
		{"MaxBytesHandler", http.MaxBytesHandler(handler, 1<<20)},
		{"TimeoutHandler", http.TimeoutHandler(handler, time.Minute, "late")},
	} {
		folder, _ := os.MkdirTemp(".", "temporary")
		os.Setenv("TMPDIR", folder)
		server := httptest.NewServer(each.handler)
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, _ := form.CreateFormFile("file", "report.bin")
		part.Write(make([]byte, 100_000))
		form.Close()
		response, err := http.Post(server.URL+"/v1/files", form.FormDataContentType(), &body)
		if err != nil {
			panic(err)
		}
		server.Close()
		left, _ := os.ReadDir(folder)
		fmt.Printf("%s: %d, %d left\n", each.name, response.StatusCode, len(left))
	}
}
GO
build_go
play ./finding
described <<'END'
the handler alone: 200, 0 left
WithContext: 200, 1 left
StripPrefix: 200, 1 left
MaxBytesHandler: 200, 1 left
TimeoutHandler: 200, 1 left
END
