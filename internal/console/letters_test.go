package console_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/console"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// A page of letters has those that the query asks for, newest first, and says whether there are more. A query
// with a part that cannot be read is refused, and not answered as if that part were missing.
func TestLetters(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 3) // as letters 1, 2 and 3
	v := newSite(t, func(o *console.Options) { o.Letters, o.Live = letters.New(q), q.Status().NewLive(10) }).loginAs("vera")
	for query, want := range map[string]struct {
		seqs []uint64
		more bool
	}{
		"":                                {[]uint64{3, 2, 1}, false},
		"?limit=3":                        {[]uint64{3, 2, 1}, false},
		"?limit=2":                        {[]uint64{3, 2}, true},
		"?limit=2&after=2":                {[]uint64{1}, false},
		"?seqs=1,3":                       {[]uint64{3, 1}, false},
		"?id=job-1":                       {[]uint64{2}, false},
		"?class=refused":                  {[]uint64{}, false},
		"?until=2001-01-01T00:00:00Z":     {[]uint64{}, false},
		"?since=2001-01-01T00:00:00Z":     {[]uint64{3, 2, 1}, false},
		"?class=not_found&limit=1&seqs=2": {[]uint64{2}, false},
	} {
		var page struct {
			Letters []usher.DeadLetter `json:"letters"`
			More    bool               `json:"more"`
		}
		w := v.request("GET", "/api/letters"+query, "", nil)
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", query, w.Code, w.Body)
		}
		seqs := []uint64{}
		for i := range page.Letters {
			seqs = append(seqs, page.Letters[i].Seq)
		}
		if !slices.Equal(seqs, want.seqs) || page.More != want.more {
			t.Errorf("%s: letters %d, more: %t, want %+v", query, seqs, page.More, want)
		}
	}
	for query, want := range map[string]string{
		"seqs=1,x": "seqs must be", "since=yesterday": "since must be a time", "until=yesterday": "until must be a time",
		"limit=-1": "limit must be", "after=x": "after must be",
	} {
		if w := v.request("GET", "/api/letters?"+query, "", nil); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", query, w.Code, w.Body, want)
		}
	}
}
