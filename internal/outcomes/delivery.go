package outcomes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/readable"
	"usher/internal/rules/calendar"
	"usher/internal/rules/condition"
)

// The columns of a table that are no outcomes.
const (
	dateColumn     = "date"
	campaignColumn = "campaign"
	creativeColumn = "creative"
)

// ErrTable means that a table has not the columns of outcomes.
var ErrTable = errors.New("read outcomes")

// Wanted returns the names of the columns that each table has.
func Wanted() []string { return []string{dateColumn, campaignColumn} }

// Row is a number as it was delivered.
type Row struct {
	Date, Campaign, Creative, Name string
	Number                         *float64 // nil: the cell is empty

	row int // in the table, from 1
}

// Refusal is a number, or a whole row, that is not stored.
type Refusal struct {
	Row      int    `json:"row"` // from 1, without the header
	Date     string `json:"date,omitempty"`
	Campaign string `json:"campaign,omitempty"`
	Creative string `json:"creative,omitempty"`
	Name     string `json:"name,omitempty"` // "": the whole row
	Why      string `json:"why"`
}

// String describes the refusal in a line.
func (r *Refusal) String() string {
	parts := slices.DeleteFunc([]string{r.Date, r.Campaign, r.Creative, r.Name}, func(part string) bool { return part == "" })
	return strings.Join(append([]string{"row", strconv.Itoa(r.Row)}, parts...), " ") + ": " + r.Why
}

// Delivery is what one file or request has brought.
type Delivery struct {
	Account  string
	Known    time.Time       // when its numbers became known
	Complete bool            // on its days but those that lack a row, what has no row is 0
	Lacking  map[string]bool // days of rows that are refused whole and may be of a campaign of the account: this delivery does not make them complete
	Names    []string
	Rows     []Row
	Count    int // rows of the table
	Refused  []Refusal
}

// Options say how a table is delivered.
type Options struct {
	Account  string
	Others   []string  // other accounts that are known, whose rows a table may have, too
	Known    time.Time // zero: when it is stored
	Complete bool
}

// WithCreatives returns the campaigns that have rows of creatives in a table, sorted. They need not be
// campaigns of the account.
func WithCreatives(t *exports.Table) []string {
	campaign, creative := t.Column(campaignColumn), t.Column(creativeColumn)
	if campaign < 0 || creative < 0 {
		return nil
	}
	var list []string
	for _, cells := range t.Rows {
		if cells[creative] != "" {
			list = append(list, cells[campaign])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Read reads the rows of a table. campaigns are those of the account, and their creatives for those of
// WithCreatives. What cannot be stored is among the refused. An error says that the table has not the
// columns of outcomes.
func Read(t *exports.Table, o Options, campaigns map[string][]string) (*Delivery, error) {
	r := reader{table: t, campaigns: campaigns, creative: t.Column(creativeColumn)}
	r.others = slices.DeleteFunc(slices.Clone(o.Others), func(account string) bool { return account == "" || account == o.Account })
	r.Account, r.Known, r.Complete, r.Count = o.Account, o.Known, o.Complete, len(t.Rows)
	r.Lacking = map[string]bool{}
	r.date, r.campaign = t.Column(dateColumn), t.Column(campaignColumn)
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	for n, cells := range t.Rows {
		r.readRow(n+1, cells)
	}
	r.refuseConflicts()
	slices.SortStableFunc(r.Refused, func(a, b Refusal) int { return a.Row - b.Row })
	r.Complete = o.Complete && !r.lacksDay
	return &r.Delivery, nil
}

// reader reads a table.
type reader struct {
	Delivery

	table                    *exports.Table
	campaigns                map[string][]string // with their creatives
	others                   []string            // accounts
	date, campaign, creative int                 // columns; -1: there is none
	columns                  []int
	lacksDay                 bool // a row is refused whose day is not known
}

// readHeader finds the columns of outcomes: all but date, campaign and creative.
func (r *reader) readHeader() error {
	if len(r.table.Header) == 0 {
		return fmt.Errorf("%w: the export is empty: write a header such as date,campaign,installs, and rows", ErrTable)
	}
	if r.date < 0 || r.campaign < 0 {
		return fmt.Errorf("%w: the columns are %s: two of them must be called date and campaign", ErrTable, hashing.MaskIDs(strings.Join(r.table.Header, ", ")))
	}
	for i, name := range r.table.Header {
		switch {
		case i == r.date || i == r.campaign || i == r.creative:
		case !condition.IsName(name):
			return fmt.Errorf("%w: a condition cannot have the name %q: name the column by a letter, and at most %d letters, digits and _, such as installs", ErrTable, hashing.MaskIDs(name), condition.MaxName-1)
		default:
			r.columns, r.Names = append(r.columns, i), append(r.Names, name)
		}
	}
	if len(r.columns) == 0 {
		return fmt.Errorf("%w: beside date and campaign there is no column with numbers: add one, such as installs", ErrTable)
	}
	return nil
}

// ofOther reports whether a campaign that the account does not have is of another account, and not
// misspelt. misspelt is the code of an account that may be the account's own.
func (r *reader) ofOther(campaign string) (is bool, misspelt string) {
	isOwn := strings.HasPrefix(campaign, r.Account+"-")
	for _, other := range r.others {
		if strings.HasPrefix(campaign, other+"-") && (!isOwn || len(other) > len(r.Account)) {
			return true, ""
		}
	}
	parts := strings.SplitN(campaign, "-", strings.Count(r.Account, "-")+2)
	account := strings.Join(parts[:len(parts)-1], "-")
	switch {
	case account == "", strings.EqualFold(account, r.Account):
		return false, ""
	case readable.NearestWithin(account, []string{r.Account}, 1) != "":
		return false, account
	}
	return true, ""
}

func (r *reader) readRow(n int, cells []string) {
	campaign, creative := cells[r.campaign], ""
	if r.creative >= 0 {
		creative = cells[r.creative]
	}
	date, ok := dateOf(cells[r.date], r.table.Format)
	refuse := func(name, format string, args ...any) {
		r.Refused = append(r.Refused, Refusal{n, hashing.MaskIDs(date), hashing.MaskIDs(campaign), hashing.MaskIDs(creative), name, fmt.Sprintf(format, args...)})
	}
	lack := func(why string) {
		r.Lacking[date] = true
		if r.Complete {
			why += ": this table does not make its day complete"
		}
		refuse("", "%s", why)
	}
	creatives, isKnown := r.campaigns[campaign]
	switch {
	case !ok:
		date = cells[r.date]
		r.lacksDay = true
		refuse("", "this is no date such as 2026-03-01")
		return
	case campaign == "":
		lack("it has no campaign")
		return
	case !isKnown:
		switch other, misspelt := r.ofOther(campaign); {
		case other:
			refuse("", "the account has no such campaign")
		case misspelt != "":
			lack(fmt.Sprintf("the account has no such campaign, and %s may be %s misspelt (if it is another account, list it in platform.advertisers)", hashing.MaskIDs(misspelt), r.Account))
		default:
			lack("the account has no such campaign")
		}
		return
	case hashing.IsDeviceID(creative): // no raw id is stored
		lack("its creative looks like a device id")
		return
	case creative != "" && !slices.Contains(creatives, creative): // it may be misspelt
		lack("its campaign has no such creative")
		return
	}
	for i, column := range r.columns {
		name, text := r.Names[i], cells[column]
		number, err := strconv.ParseFloat(text, 64)
		row := Row{Date: date, Campaign: campaign, Creative: creative, Name: name, row: n}
		switch {
		case text == "":
		case math.IsNaN(number), math.IsInf(number, 0):
			refuse(name, "it is not finite")
		case err != nil:
			refuse(name, "it is not a number with a decimal point and without separators of thousands")
		case r.table.Delimiter == ";" && condition.IsGrouped(strings.TrimLeft(text, "+-")): // where cells are separated by it, a comma separates decimals
			refuse(name, "in a table with semicolons, its point may separate thousands: write it without separators, or decimals with another number of digits")
		case math.Abs(number) > maxNumber:
			refuse(name, "it is larger than %g", float64(maxNumber))
		default:
			row.Number = &number
		}
		r.Rows = append(r.Rows, row) // of a complete delivery, what is refused is missing and not 0
	}
}

// maxNumber is the largest number that is stored.
const maxNumber = 1e15

// dateOf returns the date of a cell as YYYY-MM-DD. Spreadsheets and columnar files may have a number of
// days.
func dateOf(text string, format usher.Format) (date string, ok bool) {
	epoch := time.Time{}
	switch format {
	case usher.FormatXLSX:
		epoch = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	case usher.FormatParquet, usher.FormatAvro:
		epoch = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if days, err := strconv.Atoi(text); err == nil && !epoch.IsZero() && days > 0 && days < 100_000 {
		return epoch.AddDate(0, 0, days).Format(time.DateOnly), true
	}
	if len(text) > 10 && (text[10] == 'T' || text[10] == ' ') && strings.HasPrefix(text[11:], "00:00") { // midnight
		text = text[:10]
	}
	if _, err := calendar.ParseDay(text); err != nil {
		return "", false
	}
	return text, true
}

// key identifies a number.
type key struct{ date, campaign, creative, name string }

func (r *Row) key() key { return key{r.Date, r.Campaign, r.Creative, r.Name} }

// refuseConflicts refuses numbers that the table has twice and differently. What it has twice
// alike is stored once.
func (r *reader) refuseConflicts() {
	first, conflicts := map[key]*Row{}, map[key]bool{}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Number == nil {
			continue
		}
		known := first[row.key()]
		if known == nil {
			first[row.key()] = row
		} else if *known.Number != *row.Number {
			conflicts[row.key()] = true
		}
	}
	kept, seen := r.Rows[:0], map[key]bool{}
	for _, row := range r.Rows {
		switch k := row.key(); {
		case conflicts[k] && row.Number != nil:
			r.Refused = append(r.Refused, Refusal{row.row, row.Date, row.Campaign, hashing.MaskIDs(row.Creative), row.Name, "the table has several numbers for it"})
			row.Number = nil
			fallthrough
		case conflicts[k], first[k] == nil, row.Number != nil:
			if !seen[k] {
				seen[k] = true
				kept = append(kept, row)
			}
		}
	}
	r.Rows = kept
}
