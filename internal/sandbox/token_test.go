package sandbox_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"usher/internal/sandbox"
)

func TestUploadsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c := p.client()
	token, err := c.Auth.Token(t.Context(), "sandbox", "sandbox")
	must(t, err)
	s := readSample(t, "segments.upload")
	s.Request.File.Content = " F2D1311CA5C1ECB214C19A26E9DDBAD0 ,\r\n3b667154ffa2bc3adf2f41136344aaee,f2d1311ca5c1ecb214c19a26e9ddbad0,\n"
	if status, answer := answerOf(t, s.request(t, p.url, token)); status != 200 {
		t.Fatalf("answered %d %v", status, answer)
	}
	if got := p.fingerprint("segments/1"); got != (fingerprint{2, "2e37a271a564a8ecf3f0db3a4d2265be", "c9b740485a635088cbeedb358a99103e"}) {
		t.Errorf("the fingerprint is %+v", got)
	}
	journal := p.journal(0)
	if upload := journal[len(journal)-1].Upload; upload == nil || upload.Count != 3 {
		t.Errorf("the journal says %+v", upload)
	}
	var text json.RawMessage
	p.ask("GET", "/sandbox/journal", "", &text)
	for _, secret := range []string{"f2d1311c", "password", token} {
		if bytes.Contains(bytes.ToLower(text), []byte(secret)) {
			t.Errorf("%s is in the journal", secret)
		}
	}
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now, TokenTTL: time.Minute})
	c := p.client()
	for range 3 {
		_, err := c.Segments.List(t.Context())
		must(t, err)
		clock.advance(time.Minute)
	}
	codes := []string{}
	for _, e := range p.journal(0) {
		codes = append(codes, strings.TrimSpace(e.Op+" "+e.Code))
	}
	again := []string{"segments.list AUTH001", "auth.token", "segments.list"}
	if want := slices.Concat([]string{"auth.token", "segments.list"}, again, again); !slices.Equal(codes, want) {
		t.Errorf("the journal says %q, want %q", codes, want)
	}
}
