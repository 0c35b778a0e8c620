package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/readable"
)

// Text returns the text of a scalar.
func (f *File) Text(n ast.Node, what string) (string, bool) {
	text, ok := ScalarText(n)
	switch first, size := utf8.DecodeRuneInString(text); {
	case !ok:
		hint := "write one word or number"
		switch n.(type) {
		case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
			hint = "put quotes around text that begins with *, & or !"
		}
		f.Errorf(PlaceOf(n), hint, "%s must be a text, and this is %s", what, KindOf(n))
	case strings.ContainsRune("“”„‟‘’‚«»", first) && text != "":
		ok = false
		f.Errorf(PlaceOf(n), fmt.Sprintf("write %q", strings.TrimRight(text[size:], "“”„‟‘’‚«»")), "the text begins with %c, which YAML does not read as a quote", first)
	}
	return text, ok
}

// ScalarText returns the text of a scalar.
func ScalarText(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// Word reads one of several words. It returns "" for any other. elsewhere has words of other
// tools, and those that are meant by them.
func (f *File) Word(n ast.Node, what string, elsewhere map[string]string, words ...string) string {
	text, ok := f.Text(n, what)
	if !ok {
		return ""
	}
	if slices.Contains(words, text) {
		return text
	}
	hint := readable.Suggest(text, words, "write one of: "+strings.Join(words, ", "))
	if meant := elsewhere[strings.ToLower(text)]; slices.Contains(words, meant) {
		hint = "write " + meant
	}
	f.Errorf(PlaceOf(n), hint, "unknown %s %q", what, text)
	return ""
}

// Duration reads a duration above 0. Days may be written as 2d.
func (f *File) Duration(n ast.Node, what string) time.Duration {
	text, ok := f.Text(n, what)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if days, found := strings.CutSuffix(text, "d"); found && err != nil {
		var count float64
		count, err = strconv.ParseFloat(days, 64)
		d = time.Duration(count * 24 * float64(time.Hour))
	}
	hint := durationHint(text)
	switch {
	case err == nil && d <= 0:
		hint = "write a duration above 0, such as 1" + text[len(text)-1:] + ", or leave the key out"
	case err == nil && d > MaxDuration:
		hint = "write 3660d or less"
	case err == nil:
		return d
	}
	f.Errorf(PlaceOf(n), hint, "%s must be a duration, and this is %q", what, text)
	return 0
}

// MaxDuration is the longest duration in a file.
const MaxDuration = 10 * 366 * 24 * time.Hour

// durationHint says how to write a duration such as 1 day or 30.
func durationHint(text string) string {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ. ")
	unit := strings.ToLower(strings.Trim(text[len(digits):], ". "))
	switch _, err := strconv.ParseUint(digits, 10, 16); {
	case err != nil:
	case unit == "":
		return fmt.Sprintf("write %sm for minutes, %sh for hours or %sd for days", digits, digits, digits)
	case strings.HasPrefix(unit, "min"), strings.HasPrefix(unit, "h"), strings.HasPrefix(unit, "d"):
		return "write " + digits + unit[:1]
	case strings.HasPrefix(unit, "w"):
		return "write days, such as 7d for a week"
	}
	return "write a duration such as 30m, 1h or 2d"
}

// Share reads a percentage above 0 % and up to 100 %, such as 20%, as a fraction.
func (f *File) Share(n ast.Node, what string) float64 {
	text, ok := f.Text(n, what)
	if !ok {
		return 0
	}
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !percent || v <= 0 || v > 100 {
		hint := "write a percentage above 0% and up to 100%, such as 20%"
		switch {
		case err != nil || percent || v <= 0 || v > 100:
		case v < 1:
			hint = "write " + readable.Short(v*100) + "%"
		default:
			hint = "write " + text + "%"
		}
		f.Errorf(PlaceOf(n), hint, "%s must be a percentage, and this is %q", what, text)
		return 0
	}
	return v / 100
}

// Zone reads an IANA zone. It refuses Local, which depends on the machine. It returns nil
// after an error.
func (f *File) Zone(n ast.Node, what string) *time.Location {
	name, ok := f.Text(n, what)
	if !ok {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		f.Errorf(PlaceOf(n), zoneHint(name), "unknown time zone %q", name)
		return nil
	}
	_, offset := time.Date(2001, 1, 1, 0, 0, 0, 0, zone).Zone()
	hours := readable.Count(max(offset, -offset)/3600, "hour")
	switch {
	case offset > 0 && strings.HasPrefix(name, "Etc/GMT"):
		f.Warnf(PlaceOf(n), fmt.Sprintf("write the zone of a city, such as Europe/Berlin; %s behind UTC is Etc/GMT+%d", hours, offset/3600),
			"%s is %s ahead of UTC: these names have the opposite sign, and no summer time", name, hours)
	case offset < 0 && strings.HasPrefix(name, "Etc/GMT"):
		f.Warnf(PlaceOf(n), fmt.Sprintf("write the zone of a city, such as Europe/Berlin; %s ahead of UTC is Etc/GMT-%d", hours, -offset/3600),
			"%s is %s behind UTC: these names have the opposite sign, and no summer time", name, hours)
	case name == "EST" || name == "MST" || name == "HST":
		f.Warnf(PlaceOf(n), zoneHint(name), "%s has no summer time", name)
	}
	return zone
}

// zoneHint returns the zone that was probably meant by a name, such as that of a city.
func zoneHint(name string) string {
	city := strings.ReplaceAll(name, " ", "_")
	for _, zone := range commonZones() {
		if strings.EqualFold(zone, city) || strings.EqualFold(zone[strings.Index(zone, "/")+1:], city) {
			return "write " + zone
		}
	}
	for zone, names := range map[string]string{
		"Europe/London": "BST", "Europe/Berlin": "CEST MEZ MESZ", "Europe/Athens": "EEST", "America/New_York": "EST EDT ET", "America/Chicago": "CDT CT",
		"America/Denver": "MST MDT MT", "America/Los_Angeles": "PST PDT PT", "Pacific/Honolulu": "HST", "Asia/Tokyo": "JST", "Australia/Sydney": "AEST AEDT",
	} {
		if slices.Contains(strings.Fields(names), strings.ToUpper(name)) {
			return "write " + zone
		}
	}
	if strings.ContainsAny(name, "+0123456789") {
		return "write the zone of a city, such as Europe/Berlin, which has its summer time"
	}
	return readable.Suggest(name, commonZones(), "write an IANA zone: Europe/London, America/New_York, Asia/Tokyo, UTC")
}

// commonZones returns the zones that are suggested for a misspelt one.
func commonZones() []string {
	return strings.Fields(`UTC Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Bogota America/Chicago America/Denver
		America/Los_Angeles America/Mexico_City America/New_York America/Phoenix America/Sao_Paulo America/Toronto Asia/Bangkok Asia/Dubai
		Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo
		Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Brussels Europe/Copenhagen
		Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London Europe/Madrid Europe/Oslo Europe/Paris
		Europe/Prague Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu`)
}
