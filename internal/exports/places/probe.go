package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"gocloud.dev/blob"

	"usher"
)

// Probe describes how a remote place responds, for `usher doctor`. Its error says why
// exports cannot be read there.
func (a *Access) Probe(ctx context.Context, place string) (string, error) {
	from := OriginOf(&usher.Source{URL: place})
	at, err := Locate(from, &usher.Source{URL: place})
	if err != nil {
		return "", err
	}
	if err := a.allowed.allow(from, at); err != nil {
		return "", err
	}
	if at.scheme != "https" {
		return a.probeBucket(ctx, at)
	}
	res, err := a.web.file(from, at).get(ctx, "bytes=0-0")
	if err != nil {
		return "", from.judge(ctx, "open", err)
	}
	_ = res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError {
		return "", fmt.Errorf("its server answers %d", res.StatusCode)
	}
	return fmt.Sprintf("its server answers (%d)", res.StatusCode), nil
}

// probeBucket lists the first object of a place in a bucket.
func (a *Access) probeBucket(ctx context.Context, at Location) (string, error) {
	bucket, err := a.buckets.bucket(ctx, at)
	if err != nil {
		return "", err
	}
	_, err = bucket.List(&blob.ListOptions{Prefix: strings.TrimPrefix(at.path, "/")}).Next(ctx)
	switch {
	case errors.Is(err, io.EOF):
		return "a bucket that can be listed, empty there", nil
	case err != nil:
		return "", fmt.Errorf("list bucket %s://%s: %w", at.scheme, at.host, err)
	}
	return "a bucket that can be listed", nil
}
