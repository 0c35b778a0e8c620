package outcomes

import (
	"context"
	"fmt"
	"strings"

	"usher/internal/outcomes"
	"usher/queues/audit"
	"usher/queues/store"
)

// valueOf returns what to decode the value of a key into; nil: no value has such a key.
func valueOf(key string) any {
	switch kind := strings.Split(key, ".")[2]; kind {
	case "values":
		return new(outcomes.Month)
	case "days":
		return new(outcomes.Days)
	case "names":
		return new(outcomes.Names)
	}
	return nil
}

// Damaged returns the keys of stored values that usher cannot have written.
func (s *Store) Damaged(ctx context.Context) ([]string, error) {
	return s.bucket.Damaged(ctx, Prefix+".*.>", valueOf)
}

// requireSound fails if the value of a key is damaged. store.Change would replace it: then the month's other
// numbers, whose days are complete, would count as 0, and it would be forgotten which names have negative values.
func (s *Store) requireSound(ctx context.Context, key string) error {
	e, err := s.bucket.Find(ctx, key)
	if e != nil && err == nil {
		err = e.Decode(valueOf(key))
	}
	if err != nil {
		return fmt.Errorf("store outcomes: %w: `usher doctor --repair` removes a damaged value", err)
	}
	return nil
}

// Repair removes the damaged value of a key that Damaged returned. No number counts as 0 because another one is
// lost: of a damaged month of a campaign, no day is complete any more for any campaign of the account, until a
// complete delivery says so again. Names are rebuilt from the values.
func (s *Store) Repair(ctx context.Context, key string, act audit.Act) error {
	account, month, campaign := partsOf(key)
	if campaign != "" {
		// First: a reader that misses the value does not find the days either, see Read.
		if err := s.bucket.Purge(ctx, daysKey(account, month)); err != nil {
			return fmt.Errorf("repair %s: %w", key, err)
		}
	}
	if key == namesKey(account) {
		if err := s.rebuildNames(ctx, account); err != nil {
			return fmt.Errorf("repair %s: %w", key, err)
		}
	} else if err := s.bucket.Purge(ctx, key); err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	return s.audit.Repaired(ctx, s.now(), key, act)
}

// rebuildNames replaces the damaged names of an account by those of its values.
func (s *Store) rebuildNames(ctx context.Context, account string) error {
	names := outcomes.Names{}
	err := store.EachValue(ctx, s.bucket, valuesKey(account, "*", "*"), func(_ *store.Entry, m *outcomes.Month) {
		(&outcomes.Stored{Months: map[string][]outcomes.Month{"": {*m}}}).Each(func(of outcomes.Stated, versions outcomes.Values) {
			name := names[of.Name]
			for _, v := range versions {
				name.Negative = name.Negative || v.Number != nil && *v.Number < 0
				if name.Since.IsZero() || v.Known.Before(name.Since) {
					name.Since = v.Known
				}
				if v.Known.After(name.Last) {
					name.Last = v.Known
				}
			}
			names[of.Name] = name
		})
	})
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return s.bucket.Purge(ctx, namesKey(account))
	}
	return s.bucket.Put(ctx, namesKey(account), names)
}
