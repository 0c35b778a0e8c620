package outcomes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"usher/internal/outcomes"
	"usher/internal/rules/figures"
)

// Kept is what is stored of a name.
type Kept struct {
	Name      string    `json:"name"`
	Campaigns int       `json:"campaigns"`
	Numbers   int       `json:"numbers"`
	First     string    `json:"first"` // the first day with a number
	Last      string    `json:"last"`
	Complete  int       `json:"complete"` // days on which what has no row is 0
	Delivered time.Time `json:"delivered"`
	Negative  bool      `json:"negative"` // it ever had a negative number, so that its sums have no lower bound
}

// List returns what is stored of an account, by name.
func (s *Store) List(ctx context.Context, account string) ([]Kept, error) {
	all, err := s.all(ctx, account)
	if err != nil {
		return nil, err
	}
	kept, campaigns := map[string]*Kept{}, map[[2]string]bool{}
	for name, known := range all.Names {
		kept[name] = &Kept{Name: name, Delivered: known.Last, Negative: known.Negative}
	}
	all.Each(func(n outcomes.Stated, versions outcomes.Values) {
		k := kept[n.Name]
		if k == nil || versions[len(versions)-1].Number == nil {
			return
		}
		if at := [2]string{n.Name, n.Campaign}; !campaigns[at] {
			campaigns[at] = true
			k.Campaigns++
		}
		k.Numbers++
		k.First, k.Last = cmp.Or(min(k.First, n.Date), n.Date), max(k.Last, n.Date)
	})
	for _, days := range all.Days {
		for name, dates := range days {
			if kept[name] != nil {
				kept[name].Complete += len(dates)
			}
		}
	}
	list := []Kept{}
	for _, k := range kept {
		list = append(list, *k)
	}
	slices.SortFunc(list, func(a, b Kept) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// Names returns the names of an account that were ever delivered, sorted.
func (s *Store) Names(ctx context.Context, account string) ([]string, error) {
	var all outcomes.Names
	if _, _, err := s.bucket.Get(ctx, namesKey(account), &all); err != nil {
		return nil, fmt.Errorf("read names of outcomes: %w", err)
	}
	return all.Sorted(), nil
}

// all reads everything of an account.
func (s *Store) all(ctx context.Context, account string) (*outcomes.Stored, error) {
	return s.Read(ctx, account, figures.OutcomeNeed{Names: []string{"*"}, From: "2000-01-01", To: "9999-12-31"})
}

// Filter selects numbers. Empty fields select all.
type Filter struct{ Name, Campaign, From, To string }

// Number is a stored number with its versions.
type Number struct {
	Date     string    `json:"date"`
	Campaign string    `json:"campaign"`
	Creative string    `json:"creative,omitempty"`
	Name     string    `json:"name"`
	Number   *float64  `json:"number"` // null: its cell was empty in a complete delivery
	Known    time.Time `json:"known"`
	Before   []Before  `json:"before"` // the oldest first
}

// Before is a number that was restated.
type Before struct {
	Number *float64  `json:"number"`
	Known  time.Time `json:"known"`
}

// Show returns the numbers of an account that a filter selects, by date, campaign and creative.
func (s *Store) Show(ctx context.Context, account string, f Filter) ([]Number, error) {
	all, err := s.all(ctx, account)
	if err != nil {
		return nil, err
	}
	if _, known := all.Names[f.Name]; f.Name != "" && !known {
		return nil, fmt.Errorf("no numbers of the name %q are stored: usher outcomes ls lists the names", f.Name)
	}
	list := []Number{}
	all.Each(func(n outcomes.Stated, versions outcomes.Values) {
		if f.Name != "" && f.Name != n.Name || f.Campaign != "" && f.Campaign != n.Campaign || n.Date < f.From || f.To != "" && n.Date > f.To {
			return
		}
		last := versions[len(versions)-1]
		number := Number{Date: n.Date, Campaign: n.Campaign, Creative: n.Creative, Name: n.Name, Number: last.Number, Known: last.Known, Before: []Before{}}
		for _, v := range versions[:len(versions)-1] {
			number.Before = append(number.Before, Before{v.Number, v.Known})
		}
		list = append(list, number)
	})
	slices.SortFunc(list, func(a, b Number) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Campaign, b.Campaign), cmp.Compare(a.Creative, b.Creative), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}
