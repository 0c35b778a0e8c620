package usher

import (
	"cmp"
	"fmt"
	"time"
)

// SettingKind is the kind of a Setting.
type SettingKind string

// The kinds of settings.
const (
	StopSwitch SettingKind = "stop"  // while it is set, no job changes a creative, a budget or a bid; its name is ""
	LanePause  SettingKind = "lane"  // a lane that is paused
	RateLimit  SettingKind = "limit" // the rate limit of an advertiser, instead of the configured one
	RulePause  SettingKind = "rule"  // a rule that takes no decisions; its name is FILE/RULE
	FeedPause  SettingKind = "feed"  // a feed that looks for no exports
	RuleKeep   SettingKind = "keep"  // rules leave the creative with this code, or the budget and bid of the campaign with it, alone
)

// Setting is a value that somebody has set at run time, until somebody takes it back or, of a
// RuleKeep, until a time.
type Setting struct {
	Kind   SettingKind `json:"kind"`
	Name   string      `json:"name,omitempty"` // of the lane, advertiser, rule, feed, creative or campaign
	Rate   Rate        `json:"rate,omitzero"`  // of a RateLimit
	Until  time.Time   `json:"until,omitzero"` // of a RuleKeep; zero: until somebody takes it back
	By     string      `json:"by,omitempty"`   // "" only if a stop switch was set by hand, or if a limit is damaged
	Reason string      `json:"reason,omitempty"`
	At     time.Time   `json:"at,omitzero"` // zero only if a stop switch was set by hand

	// Damaged says that the stored setting cannot be read. A pause is set nevertheless; instead
	// of a limit, the configured one applies.
	Damaged bool `json:"damaged,omitempty"`
}

// Valid reports whether usher can have written the setting.
func (s *Setting) Valid() bool { return s.Kind != "" && s.Name != "" && !s.At.IsZero() }

// Over reports whether the time until which the setting holds has passed.
func (s *Setting) Over(now time.Time) bool { return !s.Until.IsZero() && !now.Before(s.Until) }

// KeptText says who keeps rules from a creative or campaign, and until when in a zone: "kept by ann
// until 2026-03-02 00:00 GMT".
func (s *Setting) KeptText(zone *time.Location) string {
	return "kept by " + cmp.Or(s.By, "somebody") + " until " + s.untilText(zone)
}

func (s *Setting) untilText(zone *time.Location) string {
	if s.Until.IsZero() {
		return Released
	}
	return s.Until.In(zone).Format("2006-01-02 15:04 MST")
}

// Value returns what is set: "paused", "stopped", "kept until released", or a rate such as
// "20/s"; of a damaged rate, "as configured".
func (s *Setting) Value() string {
	switch {
	case s.Kind == StopSwitch:
		return "stopped"
	case s.Kind == RateLimit && s.Damaged:
		return "as configured"
	case s.Kind == RateLimit:
		return fmt.Sprintf("%g/s", s.Rate.PerSecond)
	case s.Kind == RuleKeep:
		return "kept until " + s.untilText(time.UTC)
	default:
		return "paused"
	}
}

// String says what is set, by whom and why: "paused by ann: incident 12".
func (s *Setting) String() string {
	text := s.Value()
	if s.Kind == RuleKeep {
		text = s.KeptText(time.UTC)
	} else if s.By != "" {
		text += " by " + s.By
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}
