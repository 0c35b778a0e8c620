package command

import (
	"testing"
	"time"

	"golang.org/x/time/rate"

	"usher"
)

func TestDeadlineIsATimeOrADurationFromNow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 999, time.UTC)
	for text, want := range map[string]time.Time{
		"2h":                        now.Add(2 * time.Hour).Truncate(time.Second),
		"2026-03-01T18:00:00Z":      time.Date(2026, 3, 1, 18, 0, 0, 0, time.UTC),
		"2026-03-01T18:00:00+01:00": time.Date(2026, 3, 1, 17, 0, 0, 0, time.UTC),
	} {
		var d Deadline
		if err := d.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got := d.At(now); !got.Equal(want) {
			t.Errorf("%s from %s: %s, want %s", text, now, got, want)
		}
	}
	for _, text := range []string{"", "0s", "-1h", "2026-03-01", "soon"} {
		if err := new(Deadline).Set(text); err == nil {
			t.Errorf("%q is accepted as a deadline", text)
		}
	}
	if got := new(Deadline).At(now); !got.IsZero() {
		t.Errorf("without the flag the deadline is %s", got)
	}
}

func TestSinceIsATimeOrADurationAgo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"":                     {},
		"24h":                  now.Add(-24 * time.Hour),
		"0s":                   now,
		"2026-02-28T00:00:00Z": time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC),
	} {
		var p Past
		if text != "" {
			if err := p.Set(text); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		if got := p.At(now); !got.Equal(want) {
			t.Errorf("%q at %s: %s, want %s", text, now, got, want)
		}
	}
	if err := new(Past).Set("-1h"); err == nil {
		t.Error("a time in the future is accepted")
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rate.Limit{"5": 5, "5/s": 5, "0.5/s": 0.5, "120/m": 2, "3600/h": 1} {
		var r Rate
		if err := r.Set(text); err != nil || r.Limit() != want {
			t.Errorf("%s: %v, %v, want %v", text, r.Limit(), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1/s", "5/d", "NaN", "Inf", "1e9"} {
		if err := new(Rate).Set(text); err == nil {
			t.Errorf("%q is accepted as a rate", text)
		}
	}
	if new(Rate).Limit() != rate.Inf {
		t.Error("without the flag there is a limit")
	}
}

func TestProfileRoundTrip(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, want := range []usher.Profile{
		{Type: usher.IDFA}, {Type: usher.AAID}, {Type: usher.AndroidID},
		{Type: usher.IDFA, Case: usher.Lower, Hyphens: &no}, {Type: usher.AAID, Case: usher.Upper, Hyphens: &yes},
	} {
		var p Profile
		if err := p.Set(want.String()); err != nil || p.Profile.String() != want.String() {
			t.Errorf("%s: read as %s, %v", want, p.Profile, err)
		}
	}
	for _, text := range []string{"", "idfa/", "idfa/upper/lower", "idfa/hyphens/no-hyphens", "upper", "IDFA"} {
		if err := new(Profile).Set(text); err == nil {
			t.Errorf("%q is accepted as a profile", text)
		}
	}
}
