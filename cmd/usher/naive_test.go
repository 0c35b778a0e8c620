package main_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"usher/internal/rtb"
)

// The naive program is a straightforward implementation with only the standard
// library, as a baseline. It counts nothing, drops nothing and does not
// de-duplicate.

// naiveUpload posts a file's ids in batches. Each goroutine uploads one range of the
// file. The multipart boundary is usher's, so that the receiver does the same work
// for both programs.
func naiveUpload(ctx context.Context, url, token, path string, goroutines, batch int) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	lines := info.Size() / 37
	return runConcurrently(goroutines, goroutines, func(i int) error {
		from, to := lines*int64(i)/int64(goroutines), lines*int64(i+1)/int64(goroutines)
		return naiveRange(ctx, client, url, token, path, 37*from, 37*(to-from), batch)
	})
}

func naiveRange(ctx context.Context, client *http.Client, url, token, path string, from, size int64, batch int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(io.NewSectionReader(f, from, size))
	for more := true; more; {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		if err := form.SetBoundary(rtb.Boundary); err != nil {
			return err
		}
		part, err := form.CreateFormFile("users", "ids.txt")
		if err != nil {
			return err
		}
		n := 0
		for ; n < batch; n++ {
			if more = lines.Scan(); !more {
				break
			}
			sum := md5.Sum([]byte(strings.ToUpper(strings.TrimSpace(lines.Text()))))
			if n > 0 {
				_, _ = part.Write([]byte(","))
			}
			_, _ = part.Write([]byte(hex.EncodeToString(sum[:])))
		}
		if n == 0 {
			break
		}
		if err := form.Close(); err != nil {
			return err
		}
		if err := naivePost(ctx, client, url, token, form.FormDataContentType(), body.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func naivePost(ctx context.Context, client *http.Client, url, token, contentType string, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	if response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return errors.Join(err, response.Body.Close())
}
