package exports

import (
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// sampleRows is how many rows of the head, or of another place of the export, are
// examined.
const sampleRows = 200

// column has the counts of a column, or of a path of NDJSON, in the rows that were
// examined.
type column struct {
	name        string // "" without a header
	number      int    // from 1; 0 for a path of NDJSON, where members have no order
	filled, ids int    // cells that are neither blank nor a placeholder; cells of ids
	lists       int    // cells of several ids
	bytes       bool   // the values are 16 bytes
	table       bool   // the values stand in arrays within an array, as the cells of a table
	spelling    spelling

	types [usher.RowTypes]int // the filled cells, by the type that they name
}

func (c *column) count(cell []byte) {
	trimmed := rows.TrimSpace(cell)
	if len(trimmed) == 0 || hashing.IsPlaceholder(trimmed) {
		return
	}
	c.filled++
	switch {
	case rows.LooksLikeID(cell):
		c.ids++
		c.types[usher.RowOther]++
		c.spelling.count(cell)
	case rows.LooksLikeIDs(cell):
		c.ids++
		c.lists++
		c.types[usher.RowOther]++
	default:
		c.types[rows.ParseType(cell)]++
	}
}

func (c *column) holdsIDs() bool { return c.ids > 0 && 2*c.ids >= c.filled }

// label names a column in hints: by its number and its name, or by its path. A cell that
// does not look like a name may be a value, and is not shown.
func (c *column) label() string {
	shown := ""
	if names.LooksLikeName(c.name) {
		shown = c.name
	}
	switch {
	case c.number == 0:
		return shown
	case shown == "":
		return strconv.Itoa(c.number)
	}
	return strconv.Itoa(c.number) + " (" + shown + ")"
}

// search is what a job looks for in an export.
type search struct {
	Wanted

	mixed  bool // source.typeColumn has the type of each row
	folder bool // the export may have other files with ids
	found  *findings
}

// searchFor returns what a job looks for in an export. The files of the export have names
// that begin with base.
func searchFor(src *usher.Source, wanted Wanted, base places.Origin) search {
	return search{Wanted: wanted, mixed: declared(src.TypeColumn) != "", found: &findings{base: base, examined: map[places.Origin]bool{}}}
}

// searchOf returns the search of a plan, for the files that Plan has not looked at.
func searchOf(src *usher.Source, plan *usher.Plan, base places.Origin) search {
	return searchFor(src, Wanted{Type: plan.Type, Input: plan.Input}, base)
}

// Ranks of columns by their names. A name that only contains a known one ranks one
// lower. Under input md5, a name of digests ranks higher than any other.
const (
	rankForeign     = -1 // names another kind of id
	rankNone        = 0
	rankOtherType   = 2 // another type, if the rows are of several types
	rankDevice      = 4
	rankAdvertising = 6
	rankType        = 8 // the wanted type
	rankDigest      = 10
)

// rank returns how well a name fits.
func (s search) rank(m names.Meaning) int {
	rank := s.senseRank(m)
	if m.Digest != names.DigestNone {
		rank = s.digestRank(m, rank)
	}
	if rank > 0 && !m.Whole {
		rank--
	}
	return rank
}

func (s search) senseRank(m names.Meaning) int {
	switch m.Sense { //nolint:exhaustive // the types follow
	case names.SenseNone, names.SenseHeader:
		return rankNone
	case names.SenseDevice:
		return rankDevice
	case names.SenseAdvertising:
		return rankAdvertising
	case names.SenseVendor, names.SenseOther:
		return rankForeign
	}
	switch {
	case s.Type == "" || s.Type == m.IDType():
		return rankType
	case s.mixed:
		return rankOtherType
	}
	return rankForeign
}

// digestRank is the rank of a name of digests. rank is that of the ids.
func (s search) digestRank(m names.Meaning, rank int) int {
	accepted := s.Input == usher.InputMD5 || s.Input == usher.InputAuto
	switch {
	case m.Digest != names.DigestMD5, !accepted, rank < 0:
		return rankForeign
	case s.Input == usher.InputAuto:
		return max(rank/2, rankNone+1) // the ids themselves come first
	case m.Sense == names.SenseNone:
		return rankNone // row_hash
	}
	return max(rank, rankNone+1) + rankDigest
}

// isVague reports whether a rank is of a name that does not say which type of id.
func isVague(rank int) bool { return rank%rankDigest > rankNone && rank%rankDigest <= rankAdvertising }

// choice is the result of choose.
type choice struct {
	at  int    // the column of device ids, -1 if it cannot be told
	why string // for people

	byValues   bool  // no name has decided
	candidates []int // if it cannot be told
	foreign    bool  // the names of the candidates say that they are of another kind
	meanings   []names.Meaning
}

// choose returns the column of device ids. A known name for the wanted type decides,
// even if no value was seen below it. Values decide only if no name says otherwise.
func choose(columns []column, s search) choice {
	meanings := meaningsOf(columns)
	c := choice{at: -1, meanings: meanings}
	ranks, best := make([]int, len(columns)), 0
	for i := range columns {
		if ranks[i] = s.rank(meanings[i]); !meanings[i].Whole && columns[i].filled > 0 && columns[i].ids == 0 {
			ranks[i] = rankNone // its values say that it is about ids
		}
		best = max(best, ranks[i])
	}
	if best == rankNone {
		return chooseByValues(columns, ranks, s, c)
	}
	c.candidates = pick(columns, func(i int) bool { return ranks[i] == best || s.rivals(best, ranks[i], meanings[i]) })
	if len(c.candidates) > 1 {
		return c
	}
	return c.take(c.candidates[0], "its header "+known(meanings[c.candidates[0]]))
}

// rivals reports whether a column of another type of id makes the choice of the best
// rank doubtful: device_id beside idfa may hold the ids of all systems, and without a
// wanted type every type is as good.
func (s search) rivals(best, rank int, m names.Meaning) bool {
	switch {
	case !m.IsType() || m.Digest != names.DigestNone:
		return false
	case s.Type == "":
		return best == rankType && rank > rankAdvertising
	}
	return isVague(best) && rank == rankForeign
}

// known describes the header of a column that was chosen by it.
func known(m names.Meaning) string {
	verb := "is"
	if !m.Whole {
		verb = "contains"
	}
	return verb + " a usual name for " + m.String()
}

func (c choice) take(at int, why string) choice {
	return choice{at: at, why: why, meanings: c.meanings}
}

func (c choice) takeByValues(at int, why string) choice {
	c = c.take(at, why)
	c.byValues = true
	return c
}

// chooseByValues is choose for columns of which none has a known name.
func chooseByValues(columns []column, ranks []int, s search, c choice) choice {
	foreign := pick(columns, func(i int) bool {
		m := c.meanings[i]
		return ranks[i] == rankForeign && (m.IsDevice() || columns[i].ids > 0 || len(columns) == 1)
	})
	if len(foreign) > 0 {
		c.candidates, c.foreign = foreign, true
		return c
	}
	if len(columns) == 1 {
		return c.takeByValues(0, "it is the only column")
	}
	holding := pick(columns, func(i int) bool { return columns[i].holdsIDs() })
	if len(holding) == 0 {
		contains := pick(columns, func(i int) bool { return s.rank(c.meanings[i]) > rankNone })
		if len(contains) == 1 {
			return c.take(contains[0], "its header "+known(c.meanings[contains[0]]))
		}
	}
	if len(holding) == 1 {
		return c.takeByValues(holding[0], "its values look like ids, and no header says otherwise")
	}
	c.candidates = holding
	return c
}

// otherIDs returns the indexes of the columns that may hold ids beside the one at an
// index: they do in the samples, or their names say that they hold those of another kind.
func otherIDs(columns []column, at int) []int {
	var own names.Meaning
	if at < len(columns) {
		own = names.MeaningOf(columns[at].name)
	}
	return pick(columns, func(i int) bool {
		return i != at && (columns[i].holdsIDs() || isOtherKind(names.MeaningOf(columns[i].name), own))
	})
}

// isOtherKind reports whether a name says that ids are of another kind than those of own.
func isOtherKind(m, own names.Meaning) bool {
	return m.Sense == names.SenseVendor || m.Digest != own.Digest || m.IsType() && m.Sense != own.Sense
}

// meaningsOf returns what the names of an export's columns say. Beside AppsFlyer's,
// Kochava's and Adjust's own ids, two names have another meaning; package names has
// the sources.
func meaningsOf(columns []column) []names.Meaning {
	meanings := make([]names.Meaning, len(columns))
	beside := map[string]bool{}
	for i := range columns {
		meanings[i] = names.MeaningOf(columns[i].name)
		beside[names.Canonical(lastSegment(columns[i].name))] = true
	}
	for i := range columns {
		if meanings[i].Sense != names.SenseAdvertising || meanings[i].Digest != names.DigestNone {
			continue
		}
		switch last := names.LastWord(columns[i].name); {
		case beside["appsflyerid"] && names.Canonical(lastSegment(columns[i].name)) == "advertisingid":
			meanings[i].Sense = names.SenseAAID // the IDFA stands in another column
		case beside["kochavadeviceid"] && last == "adid":
			meanings[i].Sense = names.SenseAAID
		case (beside["gpsadid"] || beside["fireadid"] || beside["idfa"] || beside["idfv"]) && last == "adid":
			meanings[i].Sense = names.SenseOther // Adjust's own id of an installation
		}
	}
	return meanings
}

// lastSegment returns the last segment of a dotted path.
func lastSegment(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// pick returns the indexes of the wanted columns.
func pick(columns []column, wanted func(i int) bool) []int {
	var out []int
	for i := range columns {
		if wanted(i) {
			out = append(out, i)
		}
	}
	return out
}

// listed returns the labels of all columns, for hints.
func listed(columns []column) string {
	return listedOf(columns, pick(columns, func(int) bool { return true }))
}

// listedOf returns the labels of some columns.
func listedOf(columns []column, which []int) string {
	const most = 30
	var labels []string
	for _, i := range which {
		if label := columns[i].label(); label != "" && len(labels) < most {
			labels = append(labels, label)
		}
	}
	if len(labels) < len(which) {
		labels = append(labels, "…")
	}
	return strings.Join(labels, ", ")
}

// numbered gives the columns their numbers.
func numbered(columns []column) []column {
	for i := range columns {
		columns[i].number = i + 1
	}
	return columns
}

// noColumn is the error for a column that the source names and the export lacks.
func (h *head) noColumn(field, wanted, there string) error {
	return h.Broken("set source."+field+" to one that there is: "+there, "it has no column %q (source.%s)", hashing.MaskIDs(wanted), field)
}

// unchosen is the error for a column that cannot be chosen.
func (h *head) unchosen(columns []column, s search, c choice) error {
	switch set := setColumn(columns, c.candidates); {
	case c.foreign:
		return h.foreignOnly(columns, s, c)
	case len(c.candidates) == 0:
		return h.Broken(setColumn(columns, pick(columns, func(int) bool { return true })), "none of its %d columns can be recognized as that of the device ids", len(columns))
	case s.Type == "" && slices.ContainsFunc(c.candidates, func(i int) bool { return c.meanings[i].IsType() }):
		return h.Broken("name the profile, or "+set, "it has several columns of device ids")
	default:
		return h.Broken(set, "which of its %d columns holds the device ids cannot be told", len(columns))
	}
}

// setColumn is the hint to name one of some columns.
func setColumn(columns []column, which []int) string {
	if len(which) == 1 {
		return "set source.column to " + listedOf(columns, which)
	}
	return "set source.column to one of: " + listedOf(columns, which)
}

// foreignOnly is the error for an export that has only columns of other kinds of ids.
func (h *head) foreignOnly(columns []column, s search, c choice) error {
	first := c.meanings[c.candidates[0]]
	sought := "device ids"
	if s.Type != "" {
		sought = string(s.Type)
	}
	hint := "if you mean it all the same, "
	switch {
	case first.Digest == names.DigestMD5 && first.Sense != names.SenseOther:
		hint = "set input to md5 if its values are MD5 digests, or "
	case first.Digest == names.DigestNone && first.IsType():
		hint = "set the profile to " + string(first.IDType()) + ", or, if you mean it all the same, "
	}
	return h.Broken(hint+setColumn(columns, c.candidates),
		"it has no column of %s: by its name, column %s is for %s", sought, columns[c.candidates[0]].label(), first)
}

// sameColumn is the error for one column of both ids and types.
func (h *head) sameColumn() error {
	return h.Broken("set source.typeColumn to the column that says of each row which type of id it has",
		"the column that source.typeColumn names is that of the ids")
}

// noRows accepts an empty export, but not an export whose first row lies after the
// head.
func (h *head) noRows() error {
	if h.all {
		return nil
	}
	return h.Broken("remove the blank lines or the quote at its beginning", "it has no row in its first %d bytes", headBytes)
}
