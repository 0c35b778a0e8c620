package main_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// BenchmarkReceive measures how fast an upload of 100,000 ids is received, without a
// network: by the sandbox, which validates everything and keeps a fingerprint, and by
// a naive handler.
func BenchmarkReceive(b *testing.B) {
	const n = 100_000
	box, err := sandbox.Open(sandbox.Options{Members: "fingerprint"})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	server := httptest.NewServer(box)
	defer server.Close()
	token, err := rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1"}).Auth.Token(context.Background(), "sandbox", "sandbox")
	if err != nil {
		b.Fatal(err)
	}
	digests := make([]hashing.Digest, n)
	for i := range digests {
		copy(digests[i][:], fmt.Sprintf("%016d", i))
	}
	body := append(hashing.Join(rtb.Preamble("users", rtb.DefaultFilename), digests), rtb.Epilogue()...)
	receive := func(h http.Handler) func() error {
		return func() error {
			r := httptest.NewRequest(http.MethodPost, "/v3/segments/1/users", bytes.NewReader(body))
			r.Header.Set("Content-Type", "multipart/form-data; boundary="+rtb.Boundary)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				return errors.New(w.Body.String())
			}
			return nil
		}
	}
	compare(b, n, contender{name: "naive", do: receive(http.HandlerFunc(naiveReceive))}, contender{name: "usher", do: receive(box)})
}

func naiveReceive(w http.ResponseWriter, r *http.Request) {
	parts, err := r.MultipartReader()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for {
		part, err := parts.NextPart()
		if err != nil {
			return // end of the upload
		}
		text, err := io.ReadAll(part)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var sum [16]byte
		for id := range strings.SplitSeq(string(text), ",") {
			d, err := hex.DecodeString(id)
			if err != nil || len(d) != len(sum) {
				http.Error(w, "no digest", http.StatusBadRequest)
				return
			}
			for i := range sum {
				sum[i] ^= d[i]
			}
		}
	}
}
