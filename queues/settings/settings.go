// Package settings keeps what people set at run time: the stop switch of campaign actions,
// paused lanes, rules and feeds, rate limits, and what people keep rules from changing. Each
// setting says who has set it, when and why, holds for all workers until it is taken back, and each
// change of it is in the audit.
package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/store"
)

// ErrNotSet means that the pause of a rule, or what somebody keeps rules from, is to be taken back
// and is not set. To take back a setting of another kind that is not set is no error.
var ErrNotSet = errors.New("it is not set")

// ErrSetAgain means that a setting is to be taken back that somebody has replaced since it was shown.
var ErrSetAgain = errors.New("it was set again meanwhile")

// Settings are the settings in a store. It is safe for concurrent use.
type Settings struct {
	bucket *store.Bucket
	audit  *audit.Log
	now    func() time.Time
	logger *slog.Logger
}

// New returns the settings in a store. now is the time that changes are recorded with.
func New(s *store.Store, now func() time.Time, logger *slog.Logger) *Settings {
	return &Settings{bucket: s.Rules, audit: audit.New(s), now: now, logger: logger}
}

// stopKey exists while the stop switch is set. Runbooks set it by hand:
// `nats kv put usher_rules stop 'incident 12'`.
const stopKey = "stop"

// releasedKey has the setting that the stop switch was when it was released last, with the
// time and the person of the release.
const releasedKey = "started"

// Prefix is the first token of the keys of all settings but the stop switch.
const Prefix = "settings"

func key(kind usher.SettingKind, name string) string {
	if kind == usher.StopSwitch {
		return stopKey
	}
	return Prefix + "." + string(kind) + "." + store.Token(name)
}

// ofKey returns the kind and the name of the setting that key has returned a key of.
func ofKey(key string) (usher.SettingKind, string) {
	kind, token, _ := strings.Cut(strings.TrimPrefix(key, Prefix+"."), ".")
	return usher.SettingKind(kind), store.OfToken(token)
}

// pattern matches the keys of a kind that is not the stop switch.
func pattern(kind usher.SettingKind) string { return Prefix + "." + string(kind) + ".*" }

// inAudit has how the audit names the settings of each kind, and what is in effect if one is
// not set.
var inAudit = map[usher.SettingKind]struct{ prefix, unset string }{
	usher.StopSwitch: {"", "started"},
	usher.LanePause:  {"lane ", "running"},
	usher.RateLimit:  {"limit of ", "as configured"},
	usher.RulePause:  {"rule ", "running"},
	usher.FeedPause:  {"feed ", "runs"},
	usher.RuleKeep:   {"", usher.Released},
}

// Get returns a setting, or nil if it is not set or over. A damaged one is set: nobody knows that
// nothing is to be paused.
func (s *Settings) Get(ctx context.Context, kind usher.SettingKind, name string) (*usher.Setting, error) {
	setting, _, err := s.read(ctx, kind, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", title(kind, name), err)
	}
	return setting, nil
}

// read returns a setting and the revision of its key.
func (s *Settings) read(ctx context.Context, kind usher.SettingKind, name string) (*usher.Setting, uint64, error) {
	e, err := s.bucket.Find(ctx, key(kind, name))
	if err != nil || e == nil {
		return nil, 0, err
	}
	if kind == usher.StopSwitch {
		return stopSwitch(e), e.Revision, nil
	}
	setting := s.decode(e)
	if setting.Over(s.now()) {
		setting = nil
	}
	return setting, e.Revision, nil
}

// decode returns the setting of an entry that is not the stop switch. If its value is damaged, a
// pause holds, and a limit does not; both say what to do.
func (s *Settings) decode(e *store.Entry) *usher.Setting {
	var setting usher.Setting
	err := e.Decode(&setting)
	if err == nil {
		return &setting
	}
	kind, name := ofKey(e.Key)
	s.logger.Error("a setting cannot be read: a pause stays, and instead of a limit the configured one applies; set it again, or take it back",
		"kind", kind, "name", name, "error", err)
	damaged := usher.Setting{Kind: kind, Name: name, At: e.Written, Damaged: true, Reason: "the stored setting cannot be read: set it again, or take it back"}
	if kind != usher.RateLimit {
		damaged.By = "somebody unknown"
	}
	return &damaged
}

// each calls visit with the settings whose keys match a pattern.
func (s *Settings) each(ctx context.Context, pattern string, visit func(*usher.Setting)) error {
	err := s.bucket.Each(ctx, pattern, func(e *store.Entry) error {
		if setting := s.decode(e); !setting.Over(s.now()) {
			visit(setting)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	return nil
}

// unchecked is a setting that people may have written by hand, without what usher writes.
type unchecked usher.Setting

// stopSwitch returns the stop switch that a value of its key stands for.
func stopSwitch(e *store.Entry) *usher.Setting {
	var written unchecked
	if e.Decode(&written) != nil { // by hand
		written = unchecked{Reason: string(e.Value)}
	}
	setting := usher.Setting(written)
	setting.Kind = usher.StopSwitch
	return &setting
}

// List returns the settings of a kind by name.
func (s *Settings) List(ctx context.Context, kind usher.SettingKind) (map[string]usher.Setting, error) {
	list := map[string]usher.Setting{}
	err := s.each(ctx, pattern(kind), func(setting *usher.Setting) { list[setting.Name] = *setting })
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Kept returns what people keep rules from changing, by the code of the creative or campaign.
func (s *Settings) Kept(ctx context.Context) (map[string]usher.Setting, error) {
	return s.List(ctx, usher.RuleKeep)
}

// All returns all settings: the stop switch, and then by kind and name.
func (s *Settings) All(ctx context.Context) ([]usher.Setting, error) {
	all := []usher.Setting{}
	stop, err := s.Get(ctx, usher.StopSwitch, "")
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, Prefix+".*.*", func(setting *usher.Setting) { all = append(all, *setting) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b usher.Setting) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	if stop != nil {
		all = slices.Insert(all, 0, *stop)
	}
	return all, nil
}

// Set sets a setting with its value, and replaces one that is set already. The act says by
// whom and why.
func (s *Settings) Set(ctx context.Context, setting usher.Setting, act audit.Act) error {
	act = act.Masked()
	setting.By, setting.Reason, setting.At = act.Actor, act.Reason, s.now().UTC()
	before, err := s.replace(ctx, setting)
	if err != nil {
		return fmt.Errorf("set %s: %w", title(setting.Kind, setting.Name), err)
	}
	was := inAudit[setting.Kind].unset
	switch {
	case before == nil:
	case before.Value() == setting.Value():
		was = before.String() // only who and why change
	default:
		was = before.Value()
	}
	return s.record(ctx, &setting, act, was, setting.Value())
}

// replace stores a setting, and returns the one before it, or nil.
func (s *Settings) replace(ctx context.Context, setting usher.Setting) (before *usher.Setting, err error) {
	for {
		before, revision, err := s.read(ctx, setting.Kind, setting.Name)
		if err != nil {
			return nil, err
		}
		if _, err = s.bucket.CompareAndSet(ctx, key(setting.Kind, setting.Name), setting, revision); !errors.Is(err, store.ErrConflict) {
			return before, err
		}
	}
}

// TakeBack takes a setting back. If it is not set, the audit has the call; of a rule, a creative or
// a campaign the error wraps ErrNotSet instead.
func (s *Settings) TakeBack(ctx context.Context, kind usher.SettingKind, name string, act audit.Act) error {
	return s.takeBack(ctx, kind, name, act, nil)
}

// TakeBackShown is TakeBack of the setting that a person has seen; nil: none was set. If another one is set now,
// it stays, and the error wraps ErrSetAgain and says which.
func (s *Settings) TakeBackShown(ctx context.Context, kind usher.SettingKind, name string, shown *usher.Setting, act audit.Act) error {
	return s.takeBack(ctx, kind, name, act, func(set *usher.Setting) error {
		if set == nil || shown != nil && isSame(set, shown) {
			return nil
		}
		return fmt.Errorf("%w: %s", ErrSetAgain, set)
	})
}

// isSame reports whether two settings of a name were set by the same call, or by hand with the same reason.
func isSame(a, b *usher.Setting) bool {
	return a.At.Equal(b.At) && a.By == b.By && a.Reason == b.Reason
}

// Withdraw takes a setting back in the name of who has set it, unless somebody has set it again since.
func (s *Settings) Withdraw(ctx context.Context, setting *usher.Setting, why string) error {
	err := s.takeBack(ctx, setting.Kind, setting.Name, audit.Act{Actor: setting.By, Reason: why}, func(set *usher.Setting) error {
		if set == nil || !isSame(set, setting) {
			return ErrNotSet
		}
		return nil
	})
	if errors.Is(err, ErrNotSet) {
		return nil
	}
	return err
}

// takeBack takes a setting back, unless check, which may be nil, returns an error for the one that is set.
func (s *Settings) takeBack(ctx context.Context, kind usher.SettingKind, name string, act audit.Act, check func(set *usher.Setting) error) error {
	act = act.Masked()
	setting := usher.Setting{Kind: kind, Name: name, By: act.Actor, At: s.now().UTC()}
	before, err := s.remove(ctx, &setting, check)
	if err != nil {
		return fmt.Errorf("take back %s: %w", title(kind, name), err)
	}
	unset := inAudit[kind].unset
	was := unset
	if before != nil {
		was = before.Value()
	}
	return s.record(ctx, &setting, act, was, unset)
}

// remove removes a setting, also a damaged one, and returns the one that it was. check is as of takeBack.
func (s *Settings) remove(ctx context.Context, setting *usher.Setting, check func(set *usher.Setting) error) (before *usher.Setting, err error) {
	for {
		before, revision, err := s.read(ctx, setting.Kind, setting.Name)
		if err == nil && check != nil {
			err = check(before)
		}
		if err != nil {
			return nil, err
		}
		if before == nil && (setting.Kind == usher.RulePause || setting.Kind == usher.RuleKeep) {
			return nil, ErrNotSet
		}
		if before != nil && setting.Kind == usher.StopSwitch {
			if err := s.bucket.Put(ctx, releasedKey, setting); err != nil {
				return nil, err
			}
		}
		if revision == 0 {
			return before, nil
		}
		if err = s.bucket.CompareAndDelete(ctx, key(setting.Kind, setting.Name), revision); !errors.Is(err, store.ErrConflict) {
			return before, err
		}
	}
}

// Repair makes a damaged setting readable. A limit is removed. A pause stays, so that a repair lets
// nothing run; the act says by whom.
func (s *Settings) Repair(ctx context.Context, key string, act audit.Act) error {
	kind, name := ofKey(key)
	e, err := s.bucket.Find(ctx, key)
	if err != nil || e == nil {
		return err
	}
	if kind == usher.RateLimit {
		return s.bucket.Purge(ctx, key)
	}
	pause := usher.Setting{
		Kind: kind, Name: name, By: act.Masked().Actor, At: s.now().UTC(),
		Reason: "the stored setting could not be read, and was repaired: take it back if nothing is to be paused",
	}
	if _, err = s.bucket.CompareAndSet(ctx, key, pause, e.Revision); errors.Is(err, store.ErrConflict) {
		return nil // somebody has set it meanwhile, or taken it back
	}
	return err
}

// record appends a change of a setting to the audit.
func (s *Settings) record(ctx context.Context, setting *usher.Setting, act audit.Act, before, after string) error {
	what := ""
	if setting.Kind != usher.StopSwitch {
		what = inAudit[setting.Kind].prefix + setting.Name + " "
	}
	entry := usher.Audit{At: setting.At, Actor: act.Actor, Reason: act.Reason, Before: what + before, Wanted: what + after, After: what + after}
	switch setting.Kind {
	case usher.RulePause:
		_, entry.Rule, _ = strings.Cut(setting.Name, "/")
	case usher.RuleKeep:
		entry.Creative, entry.Before, entry.Wanted, entry.After = setting.Name, before, after, after
	}
	return s.audit.Changed(ctx, entry)
}

// title names a setting for errors.
func title(kind usher.SettingKind, name string) string {
	switch kind {
	case usher.StopSwitch:
		return "the stop switch"
	case usher.RateLimit:
		return "the limit of " + name
	case usher.RuleKeep:
		return "that rules leave " + name + " alone"
	default:
		return "the pause of " + string(kind) + " " + name
	}
}

// Stopped reports whether the stop switch is set, and why. After an error the caller must take it
// for set.
func (s *Settings) Stopped(ctx context.Context) (reason string, stopped bool, err error) {
	setting, err := s.Get(ctx, usher.StopSwitch, "")
	if err != nil {
		return "", true, err
	}
	if setting == nil {
		return "", false, nil
	}
	return setting.Reason, true, nil
}

// Released returns when the stop switch was taken back last; zero if it never was, or if the
// time cannot be read. Nothing that rules decided before is carried out.
func (s *Settings) Released(ctx context.Context) (time.Time, error) {
	var released unchecked
	e, err := s.bucket.Find(ctx, releasedKey)
	if err != nil {
		return time.Time{}, fmt.Errorf("read when the stop switch was released: %w", err)
	}
	if e != nil && e.Decode(&released) != nil {
		released.At = time.Time{}
	}
	return released.At, nil
}

// Watch calls changed with all settings of a kind by name, first at once and then after each
// change, until ctx ends.
func (s *Settings) Watch(ctx context.Context, kind usher.SettingKind, changed func(map[string]usher.Setting)) {
	for {
		err := s.watch(ctx, kind, changed)
		if ctx.Err() != nil {
			return
		}
		s.logger.Warn("watching settings, trying again", "kind", kind, "error", err)
		if usher.Sleep(ctx, time.Second) != nil {
			return
		}
	}
}

func (s *Settings) watch(ctx context.Context, kind usher.SettingKind, changed func(map[string]usher.Setting)) error {
	complete := false
	return s.bucket.Watch(ctx, pattern(kind), func(e *store.Entry) error {
		if complete = complete || e == nil; !complete {
			return nil // the settings that exist at the start are one change
		}
		list, err := s.List(ctx, kind)
		if err == nil {
			changed(list)
		}
		return err
	})
}
