package outcomes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"usher/internal/exports"
	"usher/internal/outcomes"
	"usher/internal/rules/figures"
)

// What is read of each row, and what is refused.
func TestRead(t *testing.T) {
	t.Parallel()
	table := &exports.Table{Header: []string{"Date", "campaign", "creative", "installs", "revenue"}, Rows: [][]string{
		{"2026-03-01", "A-1", "", "3", "1e2"},
		{"2026-03-01", "A-1", "", "3", ""},
		{"2026-03-01 00:00:00", "A-2", "", "Inf", "-5"},
		{"2026-03-01", "A-3", "c", "1,5", "7"},
		{"2026-03-01", "A-3", "c", "2", "8"},
		{"01.03.2026", "A-1", "", "3", "1"},
		{"2026-03-01", "B-1", "", "3", "1"},
		{"2026-03-01", "A-1", "6D92078A-8246-4BA4-AE5B-76104861E7DC", "3", "1"},
		{"2026-03-02", "A-3", "", "4", "2"},
		{"2026-03-02", "B-2", "", "3", "1"},
		{"2026-03-03", "a-33", "", "3", "1"},
		{"2026-03-04", "spring", "", "3", "1"},
		{"2026-03-05", "", "", "3", "1"},
		{"2026-03-06", "A-3", "C", "3", "1"},
		{"2026-03-07", "A-1", "c", "3", "1"},
	}}
	d, err := outcomes.Read(table, outcomes.Options{Account: "A", Others: []string{"B"}, Complete: true}, map[string][]string{"A-1": {"b"}, "A-2": nil, "A-3": {"c"}})
	if err != nil {
		t.Fatal(err)
	}
	if d.Complete {
		t.Error("a delivery with a row of an unknown date is complete")
	}
	var got []string
	for _, row := range d.Rows {
		text := "missing"
		if row.Number != nil {
			text = fmt.Sprint(*row.Number)
		}
		got = append(got, fmt.Sprintf("%s/%s %s %s", row.Campaign, row.Creative, row.Name, text))
	}
	want := []string{"A-1/ installs 3", "A-1/ revenue 100", "A-2/ installs missing", "A-2/ revenue -5", "A-3/c revenue missing", "A-3/c installs 2", "A-3/ installs 4", "A-3/ revenue 2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var refused []string
	for _, r := range d.Refused {
		refused = append(refused, r.String())
	}
	want = []string{
		"row 3 2026-03-01 A-2 installs: it is not finite",
		"row 4 2026-03-01 A-3 c installs: it is not a number with a decimal point and without separators of thousands",
		"row 4 2026-03-01 A-3 c revenue: the table has several numbers for it", "row 5 2026-03-01 A-3 c revenue: the table has several numbers for it",
		"row 6 01.03.2026 A-1: this is no date such as 2026-03-01", "row 7 2026-03-01 B-1: the account has no such campaign",
		"row 8 2026-03-01 A-1 6D92****-E7DC: its creative looks like a device id: this table does not make its day complete",
		"row 10 2026-03-02 B-2: the account has no such campaign",
		"row 11 2026-03-03 a-33: the account has no such campaign: this table does not make its day complete",
		"row 12 2026-03-04 spring: the account has no such campaign: this table does not make its day complete",
		"row 13 2026-03-05: it has no campaign: this table does not make its day complete",
		"row 14 2026-03-06 A-3 C: its campaign has no such creative: this table does not make its day complete",
		"row 15 2026-03-07 A-1 c: its campaign has no such creative: this table does not make its day complete",
	}
	if !slices.Equal(refused, want) {
		t.Errorf("%q, want %q", refused, want)
	}
}

// A row of a campaign that the account does not have makes its day not complete unless it is of another account.
func TestRowsOfOtherAccounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		account, campaign string
		lacks             bool
	}{
		{"ACME1", "ACME1-lunch", true},
		{"ACME1", "acme1-lunch", true},
		{"ACME1", "lunch", true},
		{"ACME1", "-lunch", true},
		{"ACME1", "ACM1-launch", true},
		{"ACME1", "AMCE1-launch", true},
		{"ACME1", "ACME3-launch", true},
		{"ACME1", "ACME2-launch", false}, // a known account
		{"ACME1", "GLOBEX-launch", false},
		{"ACME1", "ACME1-EU-launch", false}, // a known account
		{"ACME1-EU", "ACME1-EU-lunch", true},
		{"ACME1-EU", "ACME1-launch", false},
	} {
		table := &exports.Table{Header: []string{"date", "campaign", "installs"}, Rows: [][]string{{"2026-03-01", c.campaign, "3"}}}
		o := outcomes.Options{Account: c.account, Others: []string{"ACME1", "ACME2", "ACME1-EU"}, Complete: true}
		d, err := outcomes.Read(table, o, map[string][]string{c.account + "-launch": nil})
		if err != nil || len(d.Refused) != 1 || d.Lacking["2026-03-01"] != c.lacks {
			t.Errorf("%s in account %s: lacking %v, %v, %v", c.campaign, c.account, d.Lacking, d.Refused, err)
		}
	}
}

// Whatever is delivered, in whatever order, the number that was known at a time is that of the
// newest delivery before it.
// TestGroupedNumbers checks that the point of a number is taken for a decimal point only if it can be
// nothing else.
func TestGroupedNumbers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		delimiter, text string
		refused         bool
	}{
		{";", "1.234", true}, {";", "-12.000", true}, {";", "+987.654", true},
		{";", "1234", false}, {";", "1.23", false}, {";", "0.125", false}, {";", "1.2340", false}, {";", "1234.567", false},
		{",", "1.234", false}, {"", "1.234", false},
	} {
		table := &exports.Table{Delimiter: test.delimiter, Header: []string{"date", "campaign", "installs"}, Rows: [][]string{{"2026-03-01", "A-1", test.text}}}
		d, err := outcomes.Read(table, outcomes.Options{Account: "A"}, map[string][]string{"A-1": nil})
		if err != nil || (len(d.Refused) == 1) != test.refused || (d.Rows[0].Number == nil) != test.refused {
			t.Errorf("%q with the delimiter %q: %v, %v", test.text, test.delimiter, d.Refused, err)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		type delivery struct {
			known  time.Time
			number float64
		}
		var all []delivery
		var month outcomes.Month
		for _, hour := range random.Perm(12)[:1+random.IntN(6)] {
			one := delivery{begin.Add(time.Duration(hour) * time.Hour), float64(hour)}
			all = append(all, one)
			row := []outcomes.Row{{Date: "2026-03-01", Campaign: "A-1", Name: "installs", Number: &one.number}}
			d := &outcomes.Delivery{Account: "A", Known: one.known, Rows: row}
			month.Put(d, row)
			if counts, changed, _ := month.Put(d, row); changed || counts.Unchanged != 1 {
				t.Fatalf("the same delivery changes something: %+v", counts)
			}
		}
		stored := &outcomes.Stored{Months: map[string][]outcomes.Month{"A-1": {month}}}
		need := figures.OutcomeNeed{Names: []string{"installs"}, From: "2026-03-01", To: "2026-03-01"}
		for hour := range 13 {
			at := begin.Add(time.Duration(hour)*time.Hour + time.Minute)
			want, last := math.NaN(), time.Time{}
			for _, one := range all {
				if !one.known.After(at) && one.known.After(last) {
					want, last = one.number, one.known
				}
			}
			got := math.NaN()
			if facts := stored.Facts(need, at); len(facts.Rows) > 0 {
				got = facts.Rows[0].Value
			}
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("at hour %d of %v: %v, want %v", hour, all, got, want)
			}
		}
	}
}

// In whatever order complete deliveries come, a day is complete from the first of them on, and for
// creatives from the first one of creatives on. The same delivery again changes nothing.
func TestCompleteDays(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(3, 4))
	need := figures.OutcomeNeed{Names: []string{"installs"}, From: "2026-03-01", To: "2026-03-01"}
	for range 300 {
		type delivery struct {
			hour      int
			creatives bool
		}
		var all []delivery
		var days outcomes.Days
		for _, hour := range random.Perm(12)[:1+random.IntN(6)] {
			one := delivery{hour, random.IntN(2) == 0}
			all = append(all, one)
			row := outcomes.Row{Date: "2026-03-01", Campaign: "A-1", Name: "installs"}
			if one.creatives {
				row.Creative = "C-1"
			}
			d := &outcomes.Delivery{Account: "A", Complete: true, Known: begin.Add(time.Duration(hour) * time.Hour)}
			days.Put(d, []outcomes.Row{row})
			if days.Put(d, []outcomes.Row{row}) {
				t.Fatalf("the same delivery changes something: %v", all)
			}
		}
		stored := &outcomes.Stored{Days: []outcomes.Days{days}}
		for hour := range 13 {
			var want []figures.OutcomeDay
			for _, one := range all {
				if one.hour <= hour {
					want = []figures.OutcomeDay{{Date: "2026-03-01", Name: "installs", Creatives: one.creatives || len(want) > 0 && want[0].Creatives}}
				}
			}
			facts := stored.Facts(need, begin.Add(time.Duration(hour)*time.Hour+time.Minute))
			if !slices.Equal(facts.Complete, want) {
				t.Fatalf("at hour %d of %v: %v, want %v", hour, all, facts.Complete, want)
			}
		}
	}
}

// A number is 0 from the complete delivery on that has no row of it, unless the delivery has rows of its campaign at
// another level only. What was known before remains.
func TestNumbersThatACompleteDeliveryLacks(t *testing.T) {
	t.Parallel()
	known := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	row := func(date, campaign, creative string, number float64) outcomes.Row {
		return outcomes.Row{Date: date, Campaign: campaign, Creative: creative, Name: "installs", Number: &number}
	}
	const date = "2026-03-01"
	video := []outcomes.Row{row(date, "A-video", "", 60), row(date, "A-video", "v", 40), row("2026-02-28", "A-video", "", 3)}
	for _, c := range []struct {
		name         string
		second       []outcomes.Row
		later        time.Duration
		own, ofVideo float64
	}{
		{"no row", []outcomes.Row{row(date, "A-brand", "", 7)}, time.Hour, 0, 0},
		{"another day", []outcomes.Row{row("2026-03-02", "A-brand", "", 7)}, time.Hour, 60, 40},
		{"the same numbers", video, time.Hour, 60, 40},
		{"a row of the campaign", []outcomes.Row{row(date, "A-video", "", 61)}, time.Hour, 61, 40},
		{"a row of another creative", []outcomes.Row{row(date, "A-video", "w", 5)}, time.Hour, 60, 0},
		{"no row, known earlier", []outcomes.Row{row(date, "A-brand", "", 7)}, -time.Hour, 60, 40},
	} {
		var month outcomes.Month
		month.Put(&outcomes.Delivery{Known: known, Complete: true}, video)
		later := &outcomes.Delivery{Known: known.Add(c.later), Complete: true}
		covered := outcomes.CoverageOf(c.second)
		if c.second[0].Campaign == "A-video" {
			month.Put(later, c.second)
		}
		month.PutZeros(later.Known, "A-video", covered)
		if month.PutZeros(later.Known, "A-video", covered) > 0 {
			t.Errorf("%s: the same delivery changes something", c.name)
		}
		own, creative := month["installs"][""][date], month["installs"]["v"][date]
		now, _ := own.At(time.Time{})
		ofVideo, _ := creative.At(time.Time{})
		before, _ := own.At(known)
		if *now.Number != c.own || *ofVideo.Number != c.ofVideo || *before.Number != 60 {
			t.Errorf("%s: %v and %v now, %v before; want %v and %v, and 60", c.name, *now.Number, *ofVideo.Number, *before.Number, c.own, c.ofVideo)
		}
		if other, _ := month["installs"][""]["2026-02-28"].At(time.Time{}); *other.Number != 3 {
			t.Errorf("%s: %v on another day, want 3", c.name, *other.Number)
		}
	}
}
