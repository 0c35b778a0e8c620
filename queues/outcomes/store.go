package outcomes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"usher/internal/outcomes"
	"usher/internal/rules/figures"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/store"
)

// Store has the outcomes of all accounts. It is safe for concurrent use.
type Store struct {
	bucket *store.Bucket
	audit  *audit.Log
	now    func() time.Time
}

// New returns the store that is kept beside a queue's jobs.
func New(q *queues.Queue) *Store { return &Store{q.Store().Rules, q.Audit(), q.Now} }

// Prefix is the first token of the keys of the rules bucket.
const Prefix = "outcomes"

// Keys of the rules bucket. A month is written as 2026-03.
func valuesKey(account, month, campaign string) string {
	return Prefix + "." + store.Token(account) + ".values." + month + "." + campaign
}

// partsOf returns the account of a key, and its month and campaign if it has them.
func partsOf(key string) (account, month, campaign string) {
	tokens := append(strings.Split(key, "."), "", "")
	return store.OfToken(tokens[1]), tokens[3], store.OfToken(tokens[4])
}

func daysKey(account, month string) string {
	return Prefix + "." + store.Token(account) + ".days." + month
}

func namesKey(account string) string { return Prefix + "." + store.Token(account) + ".names" }

// Report says what became of a delivery.
type Report struct {
	Account  string    `json:"account"`
	KnownAt  time.Time `json:"knownAt"`
	Complete bool      `json:"complete"`
	Names    []string  `json:"names"`
	Rows     int       `json:"rows"`
	outcomes.Counts
	Refused []outcomes.Refusal `json:"refused"`
}

// Put stores a delivery. It is idempotent: a number that is known already is not stored again. If it
// fails in the middle, no day counts as complete that is not stored, and Put can be repeated. It writes
// names, then values, then which days are complete; readOnce reads in the reverse order.
func (s *Store) Put(ctx context.Context, d *outcomes.Delivery) (Report, error) {
	if d.Known.IsZero() {
		d.Known = s.now()
	}
	d.Known = d.Known.UTC().Truncate(time.Microsecond)
	r := Report{Account: d.Account, KnownAt: d.Known, Complete: d.Complete, Names: d.Names, Rows: d.Count, Refused: d.Refused}
	if err := s.putNames(ctx, d); err != nil {
		return r, err
	}
	months, days := map[string][]outcomes.Row{}, map[string][]outcomes.Row{} // by key
	for _, row := range d.Rows {
		month := row.Date[:len("2026-03")]
		key := valuesKey(d.Account, month, store.Token(row.Campaign))
		months[key] = append(months[key], row)
		if !d.Lacking[row.Date] {
			days[daysKey(d.Account, month)] = append(days[daysKey(d.Account, month)], row)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(months)) {
		var counts outcomes.Counts
		var full []outcomes.Refusal
		if err := s.requireSound(ctx, key); err != nil {
			return r, err
		}
		err := store.Change(ctx, s.bucket, key, func(m *outcomes.Month, _ bool) bool {
			var changed bool
			counts, changed, full = m.Put(d, months[key])
			return changed
		})
		if err != nil {
			return r, fmt.Errorf("store outcomes: %w", err)
		}
		r.Add(counts)
		r.Refused = append(r.Refused, full...)
		for _, refused := range full { // its day is not complete
			key := daysKey(d.Account, refused.Date[:len("2026-03")])
			days[key] = slices.DeleteFunc(days[key], func(row outcomes.Row) bool { return row.Date == refused.Date && row.Name == refused.Name })
		}
	}
	if r.Refused == nil {
		r.Refused = []outcomes.Refusal{}
	}
	slices.SortStableFunc(r.Refused, func(a, b outcomes.Refusal) int { return cmp.Compare(a.Row, b.Row) })
	if !d.Complete {
		return r, nil
	}
	if err := s.putZeros(ctx, d, days, &r); err != nil {
		return r, fmt.Errorf("store that outcomes without a row are 0: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(days)) {
		if err := store.Change(ctx, s.bucket, key, func(of *outcomes.Days, _ bool) bool { return of.Put(d, days[key]) }); err != nil {
			return r, fmt.Errorf("store which days of outcomes are complete: %w", err)
		}
	}
	return r, nil
}

// putZeros makes numbers 0 that are stored of a complete day and of which a delivery has no row. days has its
// rows of complete days.
func (s *Store) putZeros(ctx context.Context, d *outcomes.Delivery, days map[string][]outcomes.Row, r *Report) error {
	for _, key := range slices.Sorted(maps.Keys(days)) {
		covered := outcomes.CoverageOf(days[key])
		_, month, _ := partsOf(key)
		var keys []string
		err := store.EachValue(ctx, s.bucket, valuesKey(d.Account, month, "*"), func(e *store.Entry, m *outcomes.Month) {
			if _, _, campaign := partsOf(e.Key); m.PutZeros(d.Known, campaign, covered) > 0 {
				keys = append(keys, e.Key)
			}
		})
		if err != nil {
			return err
		}
		for _, key := range keys {
			restated := 0
			_, _, campaign := partsOf(key)
			err := store.Change(ctx, s.bucket, key, func(m *outcomes.Month, _ bool) bool {
				restated = m.PutZeros(d.Known, campaign, covered)
				return restated > 0
			})
			if err != nil {
				return err
			}
			r.Restated += restated
		}
	}
	return nil
}

// putNames stores the names of a delivery, before their values: a reader must know that a name may
// be negative before it sees the first such value. It rebuilds names that are lost.
func (s *Store) putNames(ctx context.Context, d *outcomes.Delivery) error {
	negative, found := map[string]bool{}, map[string]bool{}
	for _, row := range d.Rows {
		found[row.Name] = true
		negative[row.Name] = negative[row.Name] || row.Number != nil && *row.Number < 0
	}
	if err := s.requireSound(ctx, namesKey(d.Account)); err != nil {
		return err
	}
	lost, err := s.lostNames(ctx, d.Account)
	if err != nil {
		return err
	}
	var tooMany error
	err = store.Change(ctx, s.bucket, namesKey(d.Account), func(all *outcomes.Names, isKnown bool) bool {
		tooMany = nil
		if !isKnown {
			*all = maps.Clone(lost)
		}
		for name := range found {
			known, is := (*all)[name]
			if !is {
				known.Since = s.now().UTC()
			}
			known.Last, known.Negative = s.now().UTC(), known.Negative || negative[name]
			(*all)[name] = known
		}
		if len(*all) > outcomes.MaxNames {
			tooMany = fmt.Errorf("store outcomes: account %s would have %d names, and %d are allowed: deliver fewer columns", d.Account, len(*all), outcomes.MaxNames)
			return false
		}
		return len(found) > 0
	})
	if err != nil {
		return fmt.Errorf("store names of outcomes: %w", err)
	}
	return tooMany
}

// Read returns what is stored of an account on the days that a run needs. It reads again if days that were
// complete no longer are: then numbers may have been removed, which would count as 0.
func (s *Store) Read(ctx context.Context, account string, need figures.OutcomeNeed) (*outcomes.Stored, error) {
	for {
		all, days, err := s.readOnce(ctx, account, need)
		if err == nil {
			var same bool
			if same, err = s.areSame(ctx, days); same {
				return all, nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("read outcomes of account %s: %w", account, err)
		}
	}
}

// readOnce reads in the reverse of the order in which Put writes: which days are complete, then values,
// then names. Of what Put stores meanwhile, it may see values whose day is not complete yet, which are
// known, but no complete day whose values it has not seen, which would be 0; and no negative value of a name
// that it does not know to have any. It returns the revisions of the days by key.
//
// The month of a damaged value has no complete day: numbers that cannot be read must not count as 0.
func (s *Store) readOnce(ctx context.Context, account string, need figures.OutcomeNeed) (*outcomes.Stored, map[string]uint64, error) {
	none, all := &outcomes.Stored{}, &outcomes.Stored{Months: map[string][]outcomes.Month{}}
	if len(need.Names) == 0 {
		return none, nil, nil
	}
	days, months := map[string]uint64{}, s.months(need)
	for _, month := range months {
		err := store.EachValue(ctx, s.bucket, daysKey(account, month), func(e *store.Entry, d *outcomes.Days) {
			days[e.Key], all.Days = e.Revision, append(all.Days, *d)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for _, month := range months {
		err := s.bucket.Each(ctx, valuesKey(account, month, "*"), func(e *store.Entry) error {
			_, of, campaign := partsOf(e.Key)
			var values outcomes.Month
			if !s.bucket.Readable(e, &values) {
				all.Forget(of)
				return nil
			}
			all.Months[campaign] = append(all.Months[campaign], values)
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	_, found, err := s.bucket.Get(ctx, namesKey(account), &all.Names)
	if err == nil && !found {
		// If the names are damaged or lost, no number counts, and each one may be negative.
		none.NamesLost, err = s.hasAny(ctx, account)
		return none, nil, err
	}
	return all, days, err
}

// hasAny reports whether anything of an account is stored. Names are stored first, so an account that has
// something else has lost them, unless its first delivery is just being stored.
func (s *Store) hasAny(ctx context.Context, account string) (bool, error) {
	last, err := s.bucket.Revision(ctx, Prefix+"."+store.Token(account)+".>")
	return last > 0, err
}

// areSame reports whether values have the revisions that they had, by key.
func (s *Store) areSame(ctx context.Context, revisions map[string]uint64) (bool, error) {
	for key, was := range revisions {
		if now, err := s.bucket.Revision(ctx, key); err != nil || now != was {
			return false, err
		}
	}
	return true, nil
}

// Now returns what is known now of what a run needs.
func (s *Store) Now(ctx context.Context, account string, need figures.OutcomeNeed) (*figures.Outcomes, error) {
	stored, err := s.Read(ctx, account, need)
	if err != nil {
		return nil, err
	}
	return stored.Facts(need, time.Time{}), nil
}

// manyMonths is the number of months above which all are read at once.
const manyMonths = 18

// months returns the months of the days that a run needs, or a pattern of all of them.
func (s *Store) months(need figures.OutcomeNeed) []string {
	first, err := time.Parse(time.DateOnly, need.From)
	last, after := time.Parse(time.DateOnly, need.To)
	if err != nil || after != nil {
		return nil
	}
	var list []string
	for month := first.AddDate(0, 0, 1-first.Day()); !month.After(last); month = month.AddDate(0, 1, 0) {
		if list = append(list, month.Format("2006-01")); len(list) > manyMonths {
			return []string{"*"}
		}
	}
	return list
}
