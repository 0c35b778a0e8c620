package intake_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/intake"
	"usher/queues/queuetest"
)

// Without a known token every request is answered with 401.
func TestUnauthorized(t *testing.T) {
	t.Parallel()
	d := open(t)
	for name, token := range map[string]string{"none": "", "unknown": "usher_" + strings.Repeat("A", 52), "shorter": d.token[:len(d.token)-1], "longer": d.token + "A"} {
		for _, path := range []string{"/v1/jobs/segment.add", "/v1/jobs/j1/cancel", "/nowhere"} {
			answer := d.sendAs(t, token, "POST", path, queuetest.AddJob)
			answer.refused(t, http.StatusUnauthorized)
			if challenge := answer.Header.Get("WWW-Authenticate"); !strings.HasPrefix(challenge, "Bearer ") {
				t.Errorf("%s: WWW-Authenticate %q", name, challenge)
			}
		}
		d.sendAs(t, token, "GET", "/v1/jobs/j1", "").refused(t, http.StatusUnauthorized)
		d.sendAs(t, token, "GET", "/v1/schemas/segment.add", "").refused(t, http.StatusUnauthorized)
	}
	d.sendAs(t, "", "POST", "/v1/jobs/segment.add", queuetest.AddJob, "Authorization", "Basic "+d.token).refused(t, http.StatusUnauthorized)
	d.sendAs(t, "", "POST", "/v1/jobs/segment.add", queuetest.AddJob, "Authorization", "bearer "+d.token).accepted(t)
	if n := d.broker.Pending(t, "USHER_JOBS"); n != 1 {
		t.Errorf("%d messages", n)
	}
}

// A token is for the kinds and advertisers that its line names, and for all if it names
// none. A job without an advertiser is of the configured one.
func TestGrants(t *testing.T) {
	t.Parallel()
	d := open(t)
	pauses := d.add(t, intake.Grant{Name: "budgets", Kinds: []usher.Kind{usher.CampaignPause, usher.CampaignResume}})
	own := d.add(t, intake.Grant{Name: "own", Advertisers: []string{"SANDBOX1"}})
	others := d.add(t, intake.Grant{Name: "others", Advertisers: []string{"OTHER", "ANOTHER"}})
	d.reload(t, others)
	const pause, foreign = `{"id":"p%d","campaign":"SANDBOX1-x"}`, `{"id":"f%d","advertiser":"OTHER","campaign":"OTHER-x"}`
	for i, c := range []struct {
		name, token, kind, job string
		allowed                bool
	}{
		{"its kind", pauses, "campaign.pause", pause, true},
		{"its other kind", pauses, "campaign.resume", pause, true},
		{"any advertiser", pauses, "campaign.pause", foreign, true},
		{"another kind", pauses, "target.clear", pause, false},
		{"the configured advertiser", own, "target.clear", pause, true},
		{"another advertiser", own, "target.clear", foreign, false},
		{"its advertiser", others, "campaign.pause", foreign, true},
		{"not the configured advertiser", others, "campaign.pause", pause, false},
	} {
		job := fmt.Sprintf(c.job, i)
		id := job[len(`{"id":"`):][:2]
		answer := d.sendAs(t, c.token, "POST", "/v1/jobs/"+c.kind, job)
		if c.allowed {
			answer.accepted(t)
			if shown := d.sendAs(t, c.token, "GET", "/v1/jobs/"+id, ""); shown.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", c.name, shown.Status)
			}
			continue
		}
		answer.refused(t, http.StatusForbidden)
		d.send(t, "GET", "/v1/jobs/"+id, "").refused(t, http.StatusNotFound) // it was not stored
		// Nor may the token see or cancel such a job of somebody else.
		d.send(t, "POST", "/v1/jobs/"+c.kind, job).accepted(t)
		d.sendAs(t, c.token, "GET", "/v1/jobs/"+id, "").refused(t, http.StatusForbidden)
		d.sendAs(t, c.token, "POST", "/v1/jobs/"+id+"/cancel", "").refused(t, http.StatusForbidden)
		if r := queuetest.Record(t, d.queue, id); r.State != usher.Queued {
			t.Errorf("%s: the job is %s", c.name, r.State)
		}
	}
}

// reload waits until a token is valid that was added while the server runs.
func (d *testIntake) reload(t *testing.T, token string) {
	t.Helper()
	for d.sendAs(t, token, "GET", "/v1/schemas/segment.add", "").StatusCode == http.StatusUnauthorized {
		if t.Context().Err() != nil {
			t.Fatal("the token file was not read again")
		}
	}
}

// The file is read again within ten seconds: new tokens are valid then, and withdrawn ones no
// longer. A damaged line grants nothing, and without a file no token is valid.
func TestTokenFileChanges(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	path := filepath.Join(t.TempDir(), "tokens")
	now := time.Now()
	write := func(lines ...string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		now = now.Add(10 * time.Second)
	}
	first, firstLine := newToken(t, "first")
	second, secondLine := newToken(t, "second")
	write("# tokens", "", firstLine)
	tokens, err := intake.OpenTokens(path, kinds(), slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	check := func(step string, firstHolds, secondHolds bool) {
		t.Helper()
		for token, want := range map[string]bool{first: firstHolds, second: secondHolds} {
			if holds, err := tokens.Holds(token); err != nil || holds != want {
				t.Errorf("%s: token %s holds: %t, %v", step, map[bool]string{true: "first", false: "second"}[token == first], holds, err)
			}
		}
	}
	check("at first", true, false)
	write(firstLine, secondLine)
	check("a new line", true, true)
	write(secondLine)
	check("a withdrawn line", false, true)
	write(firstLine[:len(firstLine)-1], secondLine)
	check("half a line", false, true)
	if !strings.Contains(log.String(), "line 1") || strings.Contains(log.String(), firstLine[len(firstLine)-20:]) {
		t.Errorf("the log does not name the damaged line alone: %s", log.String())
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	now = now.Add(10 * time.Second)
	if _, err := tokens.Holds(second); err == nil {
		t.Error("tokens hold without a file")
	}
	write(firstLine)
	check("a file again", true, false)
}

func newToken(t *testing.T, name string) (token, line string) {
	t.Helper()
	token, line, err := intake.NewToken(intake.Grant{Name: name}, kinds())
	if err != nil {
		t.Fatal(err)
	}
	return token, line
}

// A file that is damaged, or that others may change, is refused when usher starts. The
// error names the line and nothing of its contents.
func TestOpenTokens(t *testing.T) {
	t.Parallel()
	_, line := newToken(t, "crm")
	hash := line[strings.LastIndexByte(line, ':')+1:]
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		says string // "": the file is valid
	}{
		"valid":                {line + "\n", 0o600, ""},
		"readable by others":   {line, 0o644, ""},
		"empty":                {"", 0o600, ""},
		"comments":             {"# " + hash + "\n\n" + line + "\r\n", 0o400, ""},
		"two of a name":        {line + "\n" + line, 0o600, ""},
		"lists":                {"crm:segment.add,target.add:A,B_1-c:" + hash, 0o600, ""},
		"upper case hash":      {"crm:::" + strings.ToUpper(hash), 0o600, ""},
		"writable by others":   {line, 0o620, "chmod 600"},
		"three fields":         {"crm::" + hash, 0o600, "line 1"},
		"five fields":          {"#\ncrm::::" + hash, 0o600, "line 2"},
		"no name":              {":::" + hash, 0o600, "line 1"},
		"a space in the name":  {"c rm:::" + hash, 0o600, "line 1"},
		"an unknown kind":      {"crm:segment.sub::" + hash, 0o600, "line 1"},
		"an empty kind":        {"crm:segment.add,::" + hash, 0o600, "line 1"},
		"an advertiser's code": {"crm::A B:" + hash, 0o600, "line 1"},
		"no hash":              {"crm:::", 0o600, "line 1"},
		"a short hash":         {"crm:::" + hash[2:], 0o600, "line 1"},
		"no hex":               {"crm:::" + strings.Repeat("x", 64), 0o600, "line 1"},
		"too large":            {strings.Repeat(line+"\n", 1<<20/len(line)+1), 0o600, "more than"},
	} {
		path := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := intake.OpenTokens(path, kinds(), slog.New(slog.DiscardHandler), time.Now)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), hash[2:])):
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := intake.OpenTokens(filepath.Join(t.TempDir(), "none"), kinds(), slog.New(slog.DiscardHandler), time.Now); err == nil {
		t.Error("a missing file is accepted")
	}
}

// A line does not reveal its token, and no two tokens are equal.
func TestNewToken(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		token, line := newToken(t, "crm")
		if seen[token] || len(token) < 40 || strings.Contains(line, token) || strings.ContainsAny(token, ": \t\n") {
			t.Fatalf("token %q, line %q", token, line)
		}
		seen[token] = true
	}
	for name, g := range map[string]intake.Grant{
		"no name": {}, "a colon": {Name: "a:b"}, "a line end": {Name: "a\nb"}, "a long name": {Name: strings.Repeat("a", 65)},
		"an unknown kind": {Name: "a", Kinds: []usher.Kind{"segment.sub"}}, "a comma": {Name: "a", Advertisers: []string{"A,B"}},
	} {
		if _, _, err := intake.NewToken(g, kinds()); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Any file either has errors or grants what it says, and only to its tokens.
func FuzzTokens(f *testing.F) {
	token, line, err := intake.NewToken(intake.Grant{Name: "crm", Kinds: []usher.Kind{usher.SegmentAdd}, Advertisers: []string{"A"}}, kinds())
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(line))
	f.Add([]byte("# comment\n\n" + line + "\r\n" + line))
	f.Add([]byte("a:b:c:d\n:::\n\x00\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tokens, err := intake.OpenTokens(path, kinds(), slog.New(slog.DiscardHandler), time.Now)
		if err != nil {
			if hash := line[len(line)-64:]; strings.Contains(err.Error(), hash) {
				t.Error("the error has the hash: ", err)
			}
			return
		}
		for _, stranger := range []string{"", "usher_", token + "x", string(data)} {
			if holds, err := tokens.Holds(stranger); holds || err != nil {
				t.Errorf("%q holds: %v", stranger, err)
			}
		}
		holds, err := tokens.Holds(token)
		if has := bytes.Contains(bytes.ToLower(data), []byte(line[len(line)-64:])); err != nil || holds && !has {
			t.Errorf("holds without its line: %v", err)
		}
	})
}
