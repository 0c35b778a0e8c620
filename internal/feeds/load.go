package feeds

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/hashing"
	"usher/internal/exports/places"
	"usher/internal/rules/calendar"
	"usher/internal/rules/document"
)

// Problem is an error or a warning about a feed file.
type Problem = document.Problem

// maxFeeds is the number of feeds of the largest feed file.
const maxFeeds = 1000

// The defaults of every and settle.
const (
	defaultEvery  = time.Minute
	defaultSettle = 2 * time.Minute
)

// nameForm is the form of the names of feeds, which are part of job ids.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// Load reads a feed file with the given path. It returns all errors and warnings in the order
// of the file, and no feeds if there is an error.
func Load(filename string, data []byte) ([]*Feed, []Problem) {
	r := &reader{File: document.NewFile(filename, data), names: map[string]bool{}}
	r.Hints = document.Hints{Key: keyHint}
	if root := r.Parse(data, "a feed file", "feeds:"); root != nil {
		given := r.Entries(root, "a feed file", map[string]func(ast.Node){
			"feeds": func(n ast.Node) { r.Items(n, "feeds", r.feed) },
		})
		if given != nil {
			r.Require(given, document.At(1, 1), document.Required{Key: "feeds", Hint: "write feeds: and a list"})
		}
		if len(r.feeds) > maxFeeds {
			r.Errorf(document.At(1, 1), "split it into several files", "the file has %d feeds; %d are allowed", len(r.feeds), maxFeeds)
		}
	}
	document.Sort(r.Problems)
	if document.Errors(r.Problems) {
		return nil, r.Problems
	}
	return r.feeds, r.Problems
}

// reader reads the feeds of a file.
type reader struct {
	*document.File

	feeds []*Feed
	names map[string]bool
}

// keyHint returns the hint for a key of other tools, and the key that is meant by it.
func keyHint(key, _ string, keys map[string]func(ast.Node)) (hint, meant string) {
	if key == "acceptChange" {
		return "leave it out: a person approves an export that differs, with usher feeds approve", ""
	}
	meant = map[string]string{
		"source": "watch", "path": "watch", "url": "watch", "folder": "watch", "glob": "watch", "cron": "schedule", "interval": "every", "poll": "every",
		"marker": "done_marker", "doneMarker": "done_marker", "stable": "settle", "target": "job", "deadline": "by", "tz": "timezone", "time_zone": "timezone", "rows": "min_rows",
	}[key]
	if keys[meant] == nil {
		return "", ""
	}
	return "write " + meant, meant
}

// feed reads a feed. What needs the values of other keys comes last, in whatever order they
// are.
func (r *reader) feed(n ast.Node) {
	feed := &Feed{
		File: r.Name, Line: document.PlaceOf(n).Line, Every: defaultEvery, Settle: defaultSettle,
		document: r.File, places: map[string]document.Place{},
	}
	r.Feed = r.nameIn(n)
	defer func() { r.Feed = "" }()
	var schedule, job, move ast.Node
	before := len(r.Problems)
	given := r.Entries(n, "a feed", map[string]func(ast.Node){
		"name":        func(n ast.Node) { r.name(feed, n) },
		"watch":       func(n ast.Node) { r.watch(feed, n) },
		"every":       func(n ast.Node) { feed.Every = r.wait(n, "every") },
		"schedule":    func(n ast.Node) { schedule = n },
		"done_marker": func(n ast.Node) { r.marker(feed, n) },
		"settle":      func(n ast.Node) { feed.Settle = r.wait(n, "settle") },
		"job":         func(n ast.Node) { job = n },
		"expect":      func(n ast.Node) { r.expect(feed, n) },
		"after": func(n ast.Node) {
			r.Entries(n, "after", map[string]func(ast.Node){"move": func(n ast.Node) { move = n }})
		},
	})
	if given == nil {
		return
	}
	r.Require(given, document.PlaceOf(n),
		document.Required{Key: "name", Hint: "write name: and a word, which is part of the ids of its jobs"},
		document.Required{Key: "watch", Hint: "write watch: and a folder that ends in /, a file, or names with a *"},
		document.Required{Key: "job", Hint: `write job: {kind: segment.mirror, segment: "17", profile: idfa}`})
	_, every := given["every"]
	if at, both := given["schedule"]; both && every {
		r.Errorf(at, "remove one of them", "a feed has every or schedule, not both")
	}
	if schedule != nil {
		r.schedule(feed, schedule)
	}
	if _, known := given["watch"]; job != nil && known {
		r.job(feed, job)
	}
	if move != nil {
		r.move(feed, move)
	}
	if at, is := given["expect"]; is && feed.Kind == usher.Outcomes && feed.Expect.needsRows() {
		r.Errorf(at, "leave min_rows and max_change out", "rows of outcomes are not counted before they are stored")
	}
	if !document.Errors(r.Problems[before:]) {
		r.feeds = append(r.feeds, feed)
	}
}

// nameIn returns the name of a feed for its problems, or "".
func (r *reader) nameIn(n ast.Node) string {
	m, ok := n.(ast.MapNode)
	if !ok {
		return ""
	}
	for each := m.MapRange(); each.Next(); {
		if text, ok := document.ScalarText(each.Value()); ok && each.Key().GetToken().Value == "name" && nameForm().MatchString(text) {
			return text
		}
	}
	return ""
}

func (r *reader) name(feed *Feed, n ast.Node) {
	text, ok := r.Text(n, "name")
	switch {
	case !ok:
		return
	case !nameForm().MatchString(text):
		r.Errorf(document.PlaceOf(n), "write up to 64 letters, digits, - and _, such as crm-daily", "the name %q cannot be part of a job id", text)
	case hashing.MaskIDs(text) != text:
		r.Errorf(document.PlaceOf(n), "write a word, such as crm-daily", "the name looks like a device id")
	case r.names[text]:
		r.Errorf(document.PlaceOf(n), "rename one", "two feeds are called %q", text)
	}
	feed.Name, feed.places["name"] = text, document.PlaceOf(n)
	r.names[text] = true
}

func (r *reader) watch(feed *Feed, n ast.Node) {
	if at, ok := r.location(n, "watch"); ok {
		feed.Watch, feed.places["watch"] = at, document.PlaceOf(n)
		feed.Shown = hashing.MaskIDs(string(places.OriginOf(&usher.Source{URL: textOf(n)})))
	}
}

func textOf(n ast.Node) string {
	text, _ := document.ScalarText(n)
	return text
}

// location reads a URL or an absolute path.
func (r *reader) location(n ast.Node, what string) (places.Location, bool) {
	text, ok := r.Text(n, what)
	if !ok {
		return places.Location{}, false
	}
	at, err := places.Parse(text)
	if err != nil {
		r.Errorf(document.PlaceOf(n), "write /absolute/path/, https://host/path, or s3://, gs:// or azblob://bucket/key", "%s %q: %s", what, hashing.MaskIDs(string(places.OriginOf(&usher.Source{URL: text}))), err)
		return at, false
	}
	return at, true
}

// maxWait is the longest time of every and settle.
const maxWait = 31 * 24 * time.Hour

// wait reads a duration from a second to maxWait.
func (r *reader) wait(n ast.Node, what string) time.Duration {
	d := r.Duration(n, what)
	if d != 0 && (d < time.Second || d > maxWait) {
		r.Errorf(document.PlaceOf(n), "write a duration from 1s to 31d", "%s is %s", what, d)
	}
	return d
}

func (r *reader) marker(feed *Feed, n ast.Node) {
	text, ok := r.Text(n, "done_marker")
	if ok && (text == "" || strings.ContainsAny(text, "/\\*") || len(text) > 255) {
		r.Errorf(document.PlaceOf(n), "write the name of a file, such as _SUCCESS", "done_marker %q is not the name of a file", hashing.MaskIDs(text))
	}
	feed.Marker = text
}

func (r *reader) schedule(feed *Feed, n ast.Node) {
	text, ok := r.Text(n, "schedule")
	if !ok {
		return
	}
	schedule, err := calendar.ParseSchedule(text, feed.Expect.location())
	var advice *calendar.Advice
	if errors.As(err, &advice) {
		r.Errorf(document.PlaceOf(n), advice.Hint, "%v", err)
	}
	feed.Schedule = schedule
}

func (r *reader) expect(feed *Feed, n ast.Node) {
	e := &feed.Expect
	given := r.Entries(n, "expect", map[string]func(ast.Node){
		"by": func(n ast.Node) { r.by(e, n) },
		"timezone": func(n ast.Node) {
			if e.zone = r.Zone(n, "timezone"); e.zone != nil {
				e.Timezone = e.zone.String()
			}
		},
		"min_rows":   func(n ast.Node) { e.MinRows = r.count(n, "min_rows") },
		"max_change": func(n ast.Node) { e.MaxChange = r.Share(n, "max_change") },
		"max_shift":  func(n ast.Node) { e.MaxShift = r.Share(n, "max_shift") },
	})
	if _, by := given["by"]; by && e.Timezone == "" {
		if _, zone := given["timezone"]; !zone {
			e.Timezone = "UTC"
			r.Warnf(given["by"], "write timezone: Europe/Berlin, or UTC", "expect has no timezone, so by is a time of UTC")
		}
	}
}

func (r *reader) by(e *Expect, n ast.Node) {
	text, ok := r.Text(n, "by")
	if !ok {
		return
	}
	at, err := time.Parse("15:04", text)
	if err != nil {
		r.Errorf(document.PlaceOf(n), `write a time of the day, such as "07:00"`, "by must be a time of the day, and this is %q", text)
		return
	}
	e.By = at.Format("15:04")
}

// count reads a whole number above 0.
func (r *reader) count(n ast.Node, what string) int64 {
	text, ok := r.Text(n, what)
	if !ok {
		return 0
	}
	v, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if err != nil || v < 1 {
		r.Errorf(document.PlaceOf(n), "write a whole number in digits, such as 1000000", "%s must be a whole number of at least 1, and this is %q", what, text)
		return 0
	}
	return v
}

func (r *reader) move(feed *Feed, n ast.Node) {
	at, ok := r.location(n, "move")
	switch {
	case !ok:
		return
	case at.IsGlob() || at.Scheme() == "https":
		r.Errorf(document.PlaceOf(n), "write a folder, such as s3://crm-exports/done/", "exports cannot be moved there: it is not a folder of a disk or a bucket")
	case feed.Watch.Scheme() == "https":
		r.Errorf(document.PlaceOf(n), "remove after, or watch a folder or a bucket", "exports on an https server cannot be moved")
	case feed.Watch.InFolder(at):
		r.Errorf(document.PlaceOf(n), "write another folder", "exports would be moved to the place that is watched")
	}
	at = at.Folder()
	feed.Move, feed.places["move"] = &at, document.PlaceOf(n)
}

// sources are the kinds of job that read an export, and outcomes.
func sources() []string {
	var all []string
	for _, kind := range usher.Kinds() {
		if kind.HasExport() {
			all = append(all, string(kind))
		}
	}
	return append(all, string(usher.Outcomes))
}

// kind reads the kind of a job.
func (r *reader) kind(n ast.Node) usher.Kind {
	text, ok := r.Text(n, "kind")
	if !ok || slices.Contains(sources(), text) {
		return usher.Kind(text)
	}
	return usher.Kind(r.Word(n, "kind of job", nil, sources()...))
}

// describe returns the settings of a feed that say when it looks.
func (f *Feed) describe() string {
	if f.Schedule != nil {
		return f.Schedule.String()
	}
	return fmt.Sprint(f.Every)
}

// Overlaps returns an error for each feed whose jobs change the target of another feed.
func Overlaps(all []*Feed) []Problem {
	var problems []Problem
	first := map[string]*Feed{} // by target
	for _, f := range all {
		if f.Kind == usher.DeviceForget || f.Kind == usher.Outcomes {
			continue
		}
		target := f.Job.Advertiser + " " + f.Target()
		other, twice := first[target]
		if !twice {
			first[target] = f
			continue
		}
		problems = append(problems, f.Problem("target", "let one feed watch the exports of both, such as a folder of files, or give each a target of its own",
			"feeds %s and %s both change %s", other.Name, f.Name, f.Target()))
	}
	return problems
}

// Cycles returns an error for each feed whose mirrors would leave out the members of their own target,
// by way of the exceptions of other feeds.
func Cycles(all []*Feed) []Problem {
	except := map[string][]string{} // by target
	for _, f := range all {
		except[f.ledgerName()] = append(except[f.ledgerName()], f.exceptions()...)
	}
	var problems []Problem
	for _, f := range all {
		if way := cycle(except, f.ledgerName()); way != nil {
			problems = append(problems, f.Problem("except", "leave out one of these exceptions", "targets except each other: %s", strings.Join(way, " excepts ")))
		}
	}
	return problems
}

// ledgerName returns the target of the feed's jobs as an exception names it, after its advertiser.
func (f *Feed) ledgerName() string {
	name := "campaign/" + f.Job.Campaign
	if f.Kind.Family() == "segment" {
		name = "segment/" + f.Job.Segment
	}
	return f.Job.Advertiser + " " + name
}

// exceptions returns the targets that the feed's jobs except, after their advertiser.
func (f *Feed) exceptions() (names []string) {
	for _, name := range f.Job.Except {
		names = append(names, f.Job.Advertiser+" "+name)
	}
	return names
}

// cycle returns the way from a target over its exceptions back to itself, or nil.
func cycle(except map[string][]string, target string) []string {
	seen := map[string]bool{}
	var visit func(at string) []string
	visit = func(at string) []string {
		for _, next := range except[at] {
			if next == target {
				return []string{strings.TrimSpace(at), strings.TrimSpace(next)}
			}
			if seen[next] {
				continue
			}
			seen[next] = true
			if rest := visit(next); rest != nil {
				return append([]string{strings.TrimSpace(at)}, rest...)
			}
		}
		return nil
	}
	return visit(target)
}

//go:embed feeds.schema.json
var schemaText []byte

// Schema returns the JSON Schema of feed files, for editors. Load is stricter: it checks
// places, schedules, zones and the fields of jobs as well.
func Schema() []byte { return schemaText }
