package usher

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Kind is the kind of a job: the last two tokens of its subject, usher.jobs.<kind>.
type Kind string

// The kinds of job.
const (
	SegmentAdd     Kind = "segment.add"
	SegmentRemove  Kind = "segment.remove"
	SegmentMirror  Kind = "segment.mirror"
	TargetAdd      Kind = "target.add"
	TargetReplace  Kind = "target.replace"
	TargetClear    Kind = "target.clear"
	TargetMirror   Kind = "target.mirror"
	CampaignPause  Kind = "campaign.pause"
	CampaignResume Kind = "campaign.resume"
	CampaignBudget Kind = "campaign.budget"
	CampaignBid    Kind = "campaign.bid"
	RulesEvaluate  Kind = "rules.evaluate"
	DeviceForget   Kind = "device.forget"
)

// Outcomes is not a kind of job. It is what the line of a token names to let it store numbers from
// outside, and what a feed of such numbers has as its kind.
const Outcomes Kind = "outcomes"

// Family returns the kind's first token: segment, target, campaign, rules or device.
func (k Kind) Family() string {
	family, _, _ := strings.Cut(string(k), ".")
	return family
}

// facts are what is known of a kind; see the methods of Kind.
type facts struct {
	kind                               Kind
	exclusive, mirrors, export, byRule bool
	uploads                            bool
}

// kinds is the table of all kinds. The lane and the order of jobs go by the family
// (queues/lanes, queues/targets), and the fields of the job by the schema (queues/schema).
var kinds = []facts{
	{kind: SegmentAdd, export: true, uploads: true},
	{kind: SegmentRemove, export: true, exclusive: true},
	{kind: SegmentMirror, export: true, uploads: true, exclusive: true, mirrors: true},
	{kind: TargetAdd, export: true, uploads: true},
	{kind: TargetReplace, export: true, uploads: true, exclusive: true},
	{kind: TargetClear, exclusive: true},
	{kind: TargetMirror, export: true, uploads: true, exclusive: true, mirrors: true},
	{kind: CampaignPause},
	{kind: CampaignResume},
	{kind: CampaignBudget, byRule: true},
	{kind: CampaignBid, byRule: true},
	{kind: RulesEvaluate},
	{kind: DeviceForget, export: true},
}

// Kinds returns all kinds.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i := range kinds {
		all[i] = kinds[i].kind
	}
	return all
}

// Exclusive reports whether a job of this kind must run alone on its target and in
// order. Adds run concurrently.
func (k Kind) Exclusive() bool { return k.facts().exclusive }

// Mirrors reports whether a job of this kind makes its target equal to an export.
func (k Kind) Mirrors() bool { return k.facts().mirrors }

// HasExport reports whether a job of this kind has ids, in an export or in its text. Feeds
// publish such jobs.
func (k Kind) HasExport() bool { return k.facts().export }

// Uploads reports whether a job of this kind uploads the ids of its export. The other exports are
// of ids that must go, which nothing may delay.
func (k Kind) Uploads() bool { return k.facts().uploads }

// OfRulesOnly reports whether only rules publish jobs of this kind.
func (k Kind) OfRulesOnly() bool { return k.facts().byRule }

// facts returns the row of the kind. An unknown kind has the zero row.
func (k Kind) facts() facts {
	for _, f := range kinds {
		if f.kind == k {
			return f
		}
	}
	return facts{}
}

// Job is the body of a message on usher.jobs.<kind>. The JSON Schema of a kind
// (queues/schema) says which fields it takes.
type Job struct {
	ID         string    `json:"id,omitempty"`         // 1–128 of A-Za-z0-9._-; see ValidID
	Advertiser string    `json:"advertiser,omitempty"` // default: the configured advertiser
	Deadline   time.Time `json:"deadline,omitzero"`    // RFC 3339; zero means none

	Segment  string   `json:"segment,omitempty"`  // segment.*: the segment's id
	Campaign string   `json:"campaign,omitempty"` // target.*, campaign.*: the campaign's code
	Profile  *Profile `json:"profile,omitempty"`
	Input    Input    `json:"input,omitempty"` // default raw
	Source   *Source  `json:"source,omitempty"`

	MaxRejectPercent    *float64 `json:"maxRejectPercent,omitempty"`    // 0–100, default 90
	MaxMalformedPercent *float64 `json:"maxMalformedPercent,omitempty"` // 0–100, default 1

	DryRun bool `json:"dryRun,omitempty"` // do everything except the calls that change something
	Force  bool `json:"force,omitempty"`  // target.replace, *.mirror: skip the shrink guard

	MaxRemovePercent *float64 `json:"maxRemovePercent,omitempty"` // *.mirror: 0–100, default 20
	RefreshDays      *int     `json:"refreshDays,omitempty"`      // segment.mirror: upload members again that lapse in fewer days, default 2
	MaxShift         *float64 `json:"maxShift,omitempty"`         // *.mirror: 0–100, default 5
	AcceptChange     bool     `json:"acceptChange,omitempty"`     // *.mirror: upload an export that differs from the last good one

	Except  []string `json:"except,omitempty"`  // *.mirror: targets whose members are not wanted, such as segment/5
	Holdout *Holdout `json:"holdout,omitempty"` // *.mirror: the share of the ids that is not wanted

	Creatives []string `json:"creatives,omitempty"` // campaign.*: creative codes, default all
	Reason    string   `json:"reason,omitempty"`
	Actor     string   `json:"actor,omitempty"`
	// Evaluation is the id of the rules.evaluate job whose decisions a campaign job
	// carries out.
	Evaluation string `json:"evaluation,omitempty"`

	// IDs are the ids that a device.forget erases. In a stored job each is the digests of
	// all its forms, see hashing.Forms.
	IDs []string `json:"ids,omitempty"`
	// Targets says when a device.forget takes ids out of the targeting of campaigns: "next",
	// at their next mirror or replace, which is the default, or "now".
	Targets string `json:"targets,omitempty"`

	Rules   string   `json:"rules,omitempty"` // rules.evaluate: the name of a rule file
	Rule    string   `json:"rule,omitempty"`  // rules.evaluate: the only rule that may act, default all
	AsOf    string   `json:"asOf,omitempty"`  // rules.evaluate: RFC 3339
	Metrics *Metrics `json:"metrics,omitempty"`
}

// Holdout is a share of all ids that stays out of the targets of mirrors, so that people can measure
// what the others do. Who is in it depends on nothing but the id and the key.
type Holdout struct {
	Percent float64 `json:"percent"` // above 0 and below 100
	Key     string  `json:"key"`     // no secret
}

// Metrics are the current metrics of a campaign in an event.
type Metrics struct {
	Campaign string             `json:"campaign"`
	Values   map[string]float64 `json:"values"`
	At       time.Time          `json:"at,omitzero"`
}

// Target names what the job changes: "segment 17", "target SANDBOX1-x" or "campaign
// SANDBOX1-x". It is shown to people and identifies jobs on the same target.
func (j *Job) Target(k Kind) string {
	switch k.Family() {
	case "segment":
		return "segment " + j.Segment
	case "device":
		return "all targets"
	case string(Outcomes):
		return string(Outcomes)
	}
	return k.Family() + " " + j.Campaign
}

// Source names an export, or contains up to 10,000 inline ids. An export is a file, or a
// folder of files if its URL ends in / or has a * in its last segment. The fields that
// describe the export default to auto.
type Source struct {
	URL         string `json:"url,omitempty"`
	Format      string `json:"format,omitempty"`      // text, csv, ndjson, json, parquet, avro, xlsx
	Compression string `json:"compression,omitempty"` // none, gzip, zstd, zip, bzip2, xz, lz4
	Column      string `json:"column,omitempty"`      // a header name, a 1-based number, or a dotted path
	TypeColumn  string `json:"typeColumn,omitempty"`  // the column with the id type of each row; written like Column
	Delimiter   string `json:"delimiter,omitempty"`   // of CSV: one ASCII character; detected are , ; | and the tab
	Quote       string `json:"quote,omitempty"`       // of CSV: double, or none if quotes are ordinary characters
	Escape      string `json:"escape,omitempty"`      // of CSV: double, backslash, backslash_in_quotes
	Skip        Skip   `json:"skip,omitzero"`

	// Only says which rows are taken: those whose columns have one of the values. Each is
	// COLUMN=VALUE|VALUE…, with the column as in Column; nothing after = stands for an empty cell.
	// At most MaxOnly.
	Only []string `json:"only,omitempty"`
	// Disregard names columns that are known to say no, or another kind of id, and that decide
	// nothing, and files of a folder or an archive as file:NAME.
	Disregard []string `json:"disregard,omitempty"`

	Sheet      string `json:"sheet,omitempty"`      // of an .xlsx workbook; default: the first
	Encoding   string `json:"encoding,omitempty"`   // utf-8, utf-16le, utf-16be
	Cut        *bool  `json:"cut,omitempty"`        // false: never cut into parts
	DoneMarker string `json:"doneMarker,omitempty"` // a file that marks a folder as complete, such as _SUCCESS

	// Version is the only version of the export that may be read, see places.Location.Version;
	// "" for any. Feeds set it.
	Version string `json:"version,omitempty"`

	// IncompleteLastRow says what happens if a file ends in the middle of its last row:
	// the job ends source_broken (refuse, the default), or the row is left out (drop).
	IncompleteLastRow string `json:"incompleteLastRow,omitempty"`

	// AnyVersion says that IDFAs and AAIDs may be UUIDs of any version, although those of phones
	// are of version 4.
	AnyVersion bool `json:"anyVersion,omitempty"`

	// IDs are inline ids. In a stored job they are digests; if none was an id, IDs is
	// empty, but not nil.
	IDs []string `json:"ids,omitzero"`
}

// MaxOnly is the largest number of columns of Source.Only.
const MaxOnly = 8

// Skip says which lines of a text export are no rows: a number of lines at its
// beginning, or all lines that begin with a text. The zero value skips none. In JSON it
// is a number or a string.
type Skip struct {
	Lines  int
	Prefix string
}

// String returns the number or the text as a flag takes it.
func (s Skip) String() string {
	if s.Prefix != "" {
		return s.Prefix
	}
	return strconv.Itoa(s.Lines)
}

// MarshalJSON writes the number, or the text if there is one.
func (s Skip) MarshalJSON() ([]byte, error) {
	if s.Prefix != "" {
		return json.Marshal(s.Prefix)
	}
	return json.Marshal(s.Lines)
}

// UnmarshalJSON accepts a number of lines, 0 or more, or a text.
func (s *Skip) UnmarshalJSON(data []byte) error {
	*s = Skip{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &s.Prefix)
	}
	if err := json.Unmarshal(data, &s.Lines); err != nil {
		return err
	}
	if s.Lines < 0 {
		return errors.New("skip is a number of lines, which is not negative")
	}
	return nil
}

// Redacted returns the source's URL without user, query and fragment, which may contain
// secrets, or the number of inline ids.
func (s *Source) Redacted() string {
	if s == nil {
		return ""
	}
	if s.URL == "" {
		return fmt.Sprintf("%d inline ids", len(s.IDs))
	}
	shown, _, _ := strings.Cut(s.URL, "#")
	shown, _, query := strings.Cut(shown, "?")
	if scheme, rest, found := strings.Cut(shown, "://"); found {
		host, path, slash := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = "…" + host[at:]
		}
		if shown = scheme + "://" + host; slash {
			shown += "/" + path
		}
	}
	if query {
		shown += "?…"
	}
	return shown
}

// Input is the form of an export's values.
type Input string

// The inputs. InputAuto is decided once for a job, on a sample of the column.
const (
	InputRaw  Input = "raw"
	InputMD5  Input = "md5"
	InputAuto Input = "auto"
)

// IDType is the type of a raw device id.
type IDType string

// The id types.
const (
	IDFA      IDType = "idfa"
	AAID      IDType = "aaid"
	AndroidID IDType = "android_id"
)

// Case is the case in which an id's letters are hashed.
type Case string

// The cases.
const (
	Upper Case = "upper"
	Lower Case = "lower"
)

// Profile is the form in which ids are hashed. There is no industry standard, so a job
// must name it. The zero values of Case and Hyphens mean the type's defaults (see
// Resolved).
type Profile struct {
	Type    IDType `json:"type"`
	Case    Case   `json:"case,omitempty"`
	Hyphens *bool  `json:"hyphens,omitempty"`
}

// Resolved returns the profile with defaults set: IDFA upper case with hyphens, AAID
// lower case with hyphens, ANDROID_ID lower case without hyphens.
func (p Profile) Resolved() Profile {
	if p.Case == "" {
		p.Case = Lower
		if p.Type == IDFA {
			p.Case = Upper
		}
	}
	hyphens := p.Type != AndroidID && (p.Hyphens == nil || *p.Hyphens)
	p.Hyphens = &hyphens
	return p
}

// IsSame reports whether two profiles hash an id alike.
func (p Profile) IsSame(other Profile) bool {
	a, b := p.Resolved(), other.Resolved()
	return a.Type == b.Type && a.Case == b.Case && *a.Hyphens == *b.Hyphens
}

// String returns the short form of a default profile, such as idfa, otherwise
// type/case/hyphens.
func (p Profile) String() string {
	if p.Case == "" && p.Hyphens == nil {
		return string(p.Type)
	}
	r := p.Resolved()
	hyphens := "hyphens"
	if !*r.Hyphens {
		hyphens = "no-hyphens"
	}
	return fmt.Sprintf("%s/%s/%s", r.Type, r.Case, hyphens)
}

// UnmarshalJSON accepts "idfa" or {"type":"idfa","case":"lower","hyphens":true}.
func (p *Profile) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*p = Profile{}
		return json.Unmarshal(data, &p.Type)
	}
	type plain Profile
	return json.Unmarshal(data, (*plain)(p))
}

// MarshalJSON writes the short form of a default profile.
func (p Profile) MarshalJSON() ([]byte, error) {
	if p.Case == "" && p.Hyphens == nil {
		return json.Marshal(p.Type)
	}
	type plain Profile
	return json.Marshal(plain(p))
}

// ValidID reports whether id is a valid job id: 1–128 of A-Za-z0-9._-, without a dot at
// either end or two in a row, so that it can be part of a subject and a key.
func ValidID(id string) bool {
	if len(id) < 1 || len(id) > 128 || id[0] == '.' || id[len(id)-1] == '.' || strings.Contains(id, "..") {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// reserved matches the ids that usher gives to jobs itself: to those without an id, to the ticks
// of rules and the jobs of these runs, to the jobs of feeds, and to the mirrors of a
// device.forget.
var reserved = regexp.MustCompile(`^(seq-[0-9]+|rule-.+-[0-9]{8}T[0-9]{4}Z(\..+)?|feed-.+-[g-v]{24}|forget-[0-9a-f]{24})$`)

// ReservedID reports whether usher gives such an id to jobs itself. Publishers may not use it:
// they could keep usher's own job from running.
func ReservedID(id string) bool { return reserved.MatchString(id) }
