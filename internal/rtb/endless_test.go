package rtb_test

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"usher/internal/rtb"
)

// endless is a transport whose answers do not end.
type endless struct{ status int }

func (e endless) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.MultiReader(strings.NewReader(`{"status":"success","data":{"segments":["`), letters{})
	return &http.Response{StatusCode: e.status, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// An endless answer is an error and takes little more memory than the longest answer that
// is read. The test counts all allocations, so no other test may run at the same time.
func TestEndlessAnswers(t *testing.T) { //nolint:paralleltest // see above
	for status, most := range map[int]uint64{200: 66 << 20, 400: 3 << 20, 503: 3 << 20} {
		c := rtb.New(rtb.Options{BaseURL: "http://platform.invalid", Tokens: tokens("token"), HTTP: &http.Client{Transport: endless{status}}})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.Segments.List(t.Context())
		runtime.ReadMemStats(&after)
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("status %d: %.300v", status, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("status %d: %d MiB were allocated, want at most %d MiB", status, got>>20, most>>20)
		}
	}
}
