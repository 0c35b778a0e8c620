package main

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"usher"
)

func TestNumbersForPeople(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		number(0):                                  "0",
		number(999):                                "999",
		number(1000):                               "1,000",
		number(-1234567):                           "-1,234,567",
		number(-123):                               "-123",
		number(math.MaxInt64):                      "9,223,372,036,854,775,807",
		plural(1, "row"):                           "1 row",
		plural(1200, "row"):                        "1,200 rows",
		bytesText(1):                               "1 byte",
		bytesText(999):                             "999 bytes",
		bytesText(33_000_000):                      "33.0 MB",
		bytesText(5_000_000_000_000_000):           "5000.0 TB",
		brief(1500 * time.Millisecond):             "1.5s",
		brief(59 * time.Second):                    "59s",
		brief(125 * time.Second):                   "2m5s",
		brief(25*time.Hour + 5*time.Minute):        "25h5m",
		brief(50 * time.Hour):                      "2d2h",
		percent(1, 3):                              "33.3 %",
		percent(0, 0):                              "",
		oneLine("a\n b\tc", 10):                    "a b c",
		oneLine("äöüß", 3):                         "äö…",
		printable("\x1b[2Jgone\u202e"):             " [2Jgone ",
		oldestAccepted("2.12.5"):                   "ok",
		oldestAccepted("2.11.9"):                   "old",
		oldestAccepted("2.12.3"):                   "old",
		oldestAccepted("3.0.0"):                    "ok",
		oldestAccepted("next"):                     "ok",
		hideLogin("redis://u:secret@127.0.0.1:1/"): "redis://u:xxxxx@127.0.0.1:1/",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func oldestAccepted(version string) string {
	if oldNATS(version) != nil {
		return "old"
	}
	return "ok"
}

func TestTallyTableAddsUpOrIsRefused(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	tally := usher.Tally{Read: 1010, Accepted: 1000, Duplicate: 4, Junk: usher.Counts{usher.ZeroID: 3, usher.Empty: 1}, Invalid: usher.Counts{usher.Shape: 2}}
	if err := writeTally(&out, tally, "accepted"); err != nil {
		t.Fatal(err)
	}
	want := `                ROWS
accepted       1,000   99.0 %
duplicate          4    0.4 %
suppressed         0    0.0 %
junk empty         1    0.1 %
junk zero_id       3    0.3 %
invalid shape      2    0.2 %
= read         1,010  100.0 %
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
	tally.Read++
	if err := writeTally(&out, tally, "accepted"); err == nil {
		t.Error("a tally that does not add up is printed as if it did")
	}
}

func TestJobsEndAsTheirExitCodesSay(t *testing.T) {
	t.Parallel()
	w := wait{}
	dead := usher.Record{ID: "j", State: usher.Failed, Error: &usher.JobError{Class: usher.NotFound, Message: "no segment", Hint: "look"}}
	err := w.verdict(dead)
	var exit *exitError
	if !errors.As(err, &exit) || exit.code != exitDead || !strings.Contains(err.Error(), "usher dead replay --id j") {
		t.Errorf("a dead job: %#v", err)
	}
	if err := w.verdict(usher.Record{State: usher.Done}); err != nil {
		t.Errorf("a job that is done: %v", err)
	}
	if err := w.verdict(usher.Record{State: usher.Cancelled}); err == nil || errors.As(err, &exit) {
		t.Error("a cancelled job exits as a dead one")
	}
}
