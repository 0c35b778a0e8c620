package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"usher/internal/sandbox/operations"
)

// Options are the settings of a sandbox. The zero value is a sandbox in memory with all
// defaults.
type Options struct {
	Username   string // default sandbox
	Password   string // default sandbox
	Advertiser string // default SANDBOX1

	Data string // a directory for state and journal, created if it does not exist; "": memory only

	LockTTL       time.Duration // default 5 minutes
	TokenTTL      time.Duration // default 1 hour
	ApprovalDelay time.Duration // of PENDING creatives; default 1 second, negative: none
	Latency       time.Duration // before each answer below /v3
	TargetPost    string        // what a second mobileIds upload does: add (default) or replace

	// Members says how sets of digests are stored: exact (default), or fingerprint,
	// which stores only their count, sum and xor. With fingerprint, sets take no
	// memory and an upload is as fast as its parser, which benchmarks need. Repeated
	// digests then count again, and segments.contains is refused.
	Members string

	Now    func() time.Time // default time.Now
	Logger *slog.Logger     // default: none
}

// The values of Options.TargetPost and Options.Members.
const (
	targetsAdd         = "add"
	targetsReplace     = "replace"
	membersExact       = "exact"
	membersFingerprint = "fingerprint"
)

func (o Options) withDefaults() (Options, error) {
	o.Username, o.Password = cmp.Or(o.Username, "sandbox"), cmp.Or(o.Password, "sandbox")
	o.Advertiser = cmp.Or(o.Advertiser, "SANDBOX1")
	o.TargetPost, o.Members = cmp.Or(o.TargetPost, targetsAdd), cmp.Or(o.Members, membersExact)
	o.LockTTL, o.TokenTTL = cmp.Or(o.LockTTL, 5*time.Minute), cmp.Or(o.TokenTTL, time.Hour)
	o.ApprovalDelay = cmp.Or(o.ApprovalDelay, time.Second)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o, o.check()
}

func (o Options) check() error {
	rule := operations.CodeRule(o.Advertiser)
	switch {
	case o.TargetPost != targetsAdd && o.TargetPost != targetsReplace:
		return fmt.Errorf("open sandbox: target-post is %q, want add or replace", o.TargetPost)
	case o.Members != membersExact && o.Members != membersFingerprint:
		return fmt.Errorf("open sandbox: members is %q, want exact or fingerprint", o.Members)
	case o.LockTTL < 0 || o.TokenTTL < 0 || o.Latency < 0:
		return errors.New("open sandbox: lock-ttl, token-ttl and latency must not be negative")
	case rule != "":
		return fmt.Errorf("open sandbox: advertiser %q %s", o.Advertiser, rule)
	}
	return nil
}

func (o Options) fingerprintsOnly() bool { return o.Members == membersFingerprint }

func (o Options) config() operations.Config {
	return operations.Config{
		Username: o.Username, Password: o.Password, Advertiser: o.Advertiser,
		LockTTL: o.LockTTL, TokenTTL: o.TokenTTL, ApprovalDelay: o.ApprovalDelay,
		ReplaceTargets: o.TargetPost == targetsReplace,
	}
}
