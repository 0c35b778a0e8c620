package outcomes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// Damaged returns the keys of stored values that usher cannot have written, and those of lost names.
func (s *Store) Damaged(ctx context.Context) ([]string, error) {
	accounts := map[string]bool{}
	damaged, err := s.bucket.Damaged(ctx, Prefix+".*.>", func(key string) any {
		account, _, _ := partsOf(key)
		accounts[account] = true
		return valueOf(key)
	})
	if err != nil {
		return nil, err
	}
	for _, account := range slices.Sorted(maps.Keys(accounts)) {
		if e, err := s.bucket.Find(ctx, namesKey(account)); err != nil {
			return nil, err
		} else if e == nil {
			damaged = append(damaged, namesKey(account))
		}
	}
	return damaged, nil
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
// complete delivery says so again. Names, also lost ones, are rebuilt from the values.
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

// rebuildNames replaces the names of an account, which are damaged or lost, by those of its values.
func (s *Store) rebuildNames(ctx context.Context, account string) error {
	names, err := s.namesOfValues(ctx, account)
	if err != nil {
		return err
	}
	if len(names) == 0 { // no number is left, so that no day is complete any more
		return errors.Join(s.bucket.Purge(ctx, daysKey(account, "*")), s.bucket.Purge(ctx, namesKey(account)))
	}
	return store.Change(ctx, s.bucket, namesKey(account), func(all *outcomes.Names, isKnown bool) bool {
		*all = names
		return !isKnown // a delivery may have rebuilt lost ones
	})
}

// lostNames returns the names of an account's values if its own names are lost. A new account has neither.
func (s *Store) lostNames(ctx context.Context, account string) (outcomes.Names, error) {
	e, err := s.bucket.Find(ctx, namesKey(account))
	if err != nil || e != nil {
		return outcomes.Names{}, err
	}
	return s.namesOfValues(ctx, account)
}

// namesOfValues returns the names of an account's values. If one of these is damaged, each name may have had a
// negative value there.
func (s *Store) namesOfValues(ctx context.Context, account string) (outcomes.Names, error) {
	names, isDamaged := outcomes.Names{}, false
	err := s.bucket.Each(ctx, valuesKey(account, "*", "*"), func(e *store.Entry) error {
		var m outcomes.Month
		if !s.bucket.Readable(e, &m) {
			isDamaged = true
			return nil
		}
		addNames(names, m)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rebuild names of outcomes: %w", err)
	}
	for name, of := range names {
		of.Negative = of.Negative || isDamaged
		names[name] = of
	}
	return names, nil
}

// addNames adds the names of a month.
func addNames(names outcomes.Names, m outcomes.Month) {
	(&outcomes.Stored{Months: map[string][]outcomes.Month{"": {m}}}).Each(func(of outcomes.Stated, versions outcomes.Values) {
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
}
