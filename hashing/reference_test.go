package hashing_test

import (
	"crypto/md5"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"

	"usher"
	"usher/hashing"
)

// reference implements the specification independently of the package, with regular
// expressions, strings and crypto/md5.
type reference struct {
	profile usher.Profile
	input   usher.Input
	header  string
}

var (
	refHyphened = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	refVersion4 = regexp.MustCompile(`^(?i)[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$`)
	refHex      = regexp.MustCompile(`^(?i)[0-9a-f]+$`)
	refMAC      = regexp.MustCompile(`^(?i)([0-9a-f]{2}(:[0-9a-f]{2}){5}|[0-9a-f]{2}(-[0-9a-f]{2}){5}|[0-9a-f]{4}(\.[0-9a-f]{4}){2})$`)
	refMacro    = regexp.MustCompile(`^(?is)(\$?\{.*\}|\[.*\]|%.*%|%5b.*%5d|(\$|%24)?%7b.*%7d)$`)
	refRecord   = regexp.MustCompile(`^(?s)\{[ \t]*".*:.*\}$`)
	refNothing  = regexp.MustCompile(`^((?i:unknown|undefined|null|\(null\)|<null>|none|\(none\)|nil|nan|nat|na|n/a|#n/a|<na>|\(not set\)|-|0)|\\N)$`)
	refHeader   = regexp.MustCompile(`^(?i)(idfa|idfa\(s\)|device_id|madid|google_ad_id|gaid|advertising_id|android_id)$`)
	refFifteen  = regexp.MustCompile(`^((01|35|86|99)[0-9]{13}|490154203237518)$`)
	refSheet    = regexp.MustCompile(`^([+-]?([0-9]+[.,][0-9]*[eE][+-]?[0-9]{1,3}|[0-9]+[eE][+-][0-9]{1,3}|[0-9]{9,}[.,]0+|(?i:inf|infinity)` +
		`|[0-9]{1,3}(,[0-9]{3}){4,}|[0-9]{1,3}(\.[0-9]{3}){4,}|[0-9]{1,3}('[0-9]{3}){4,}|[0-9]{1,3}( [0-9]{3}){4,}|[0-9]{1,3}(\x{a0}[0-9]{3}){4,}|[0-9]{1,3}(\x{202f}[0-9]{3}){4,})` +
		`|##+|#NV|#[^ ]+[!?]|Err:[0-9]+)$`)
	refWithheld  = regexp.MustCompile(`^\x00[0-7]$`)
	refBraces    = regexp.MustCompile(`^(?s)\{(.+)\}$`)
	refQuotes    = regexp.MustCompile(`^(?s)(?:"(.*)"|'(.*)')$`)
	refHashesOf  = refJunkDigests()
	refBlankSide = "[ \\t\\r\u00a0\ufeff]+"
	refLeft      = regexp.MustCompile(`^` + refBlankSide)
	refRight     = regexp.MustCompile(refBlankSide + `$`)
)

func refTrim(s string) string { return refRight.ReplaceAllString(refLeft.ReplaceAllString(s, ""), "") }

func refSame(s string) bool {
	return strings.ToLower(s) == strings.Repeat(strings.ToLower(s[:1]), len(s))
}

func refLuhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			d = []int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}[d]
		}
		sum += d
	}
	return sum%10 == 0
}

func refMD5(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

func refJunkDigests() map[string]string {
	of := map[string]string{}
	for _, d := range "0123456789abcdefABCDEF" {
		s := string(d)
		for n := 1; n <= 16; n++ {
			of[refMD5(strings.Repeat(s, n))] = "zero_id"
		}
		of[refMD5(strings.Repeat(s, 32))] = "zero_id"
		of[refMD5(strings.NewReplacer("8", strings.Repeat(s, 8), "4", strings.Repeat(s, 4), "C", strings.Repeat(s, 12)).Replace("8-4-4-4-C"))] = "zero_id"
	}
	of[refMD5("9774d56d682e549c")] = "shared_id"
	of[refMD5("9774D56D682E549C")] = "shared_id"
	of[refMD5("")] = "empty"
	for _, w := range []string{
		"unknown", "undefined", "null", "(null)", "<null>", "none", "(none)", "nil", "nan", "NaN", "nat", "NaT",
		"na", "n/a", "#n/a", "<na>", "(not set)", `\N`, "-", "0",
	} {
		for _, v := range []string{w, strings.ToLower(w), strings.ToUpper(w), strings.ToUpper(w[:1]) + w[1:]} {
			of[refMD5(v)] = "placeholder"
		}
	}
	return of
}

// judged are results of the reference, which is slow under the race detector. Tests
// judge the same values many times.
var judged = struct {
	sync.Mutex
	rows map[judgement]row
}{rows: map[judgement]row{}}

// judgement is everything that the result of a value depends on.
type judgement struct {
	kind          usher.IDType
	letters       usher.Case
	hyphens       bool
	input         usher.Input
	header, value string
}

// maxJudged limits the number of results that are kept, because fuzzing never stops making
// new values.
const maxJudged = 1 << 17

// judge returns the digest of a value, or the reason why it has none.
func (r reference) judge(value string) (digest, reason string) {
	p := r.profile
	key := judgement{p.Type, p.Case, p.Hyphens == nil || *p.Hyphens, r.input, r.header, value}
	judged.Lock()
	kept, found := judged.rows[key]
	judged.Unlock()
	if found {
		return kept.digest, kept.reason
	}
	digest, reason = r.judgeUncached(value)
	judged.Lock()
	defer judged.Unlock()
	if len(judged.rows) < maxJudged && len(value) < 100 {
		judged.rows[key] = row{digest, reason}
	}
	return digest, reason
}

// judgeUncached is judge without the results that are kept.
func (r reference) judgeUncached(value string) (digest, reason string) {
	if len(value) > 64<<10 {
		return "", "shape"
	}
	v := refTrim(value)
	if m := refQuotes.FindStringSubmatch(v); m != nil {
		v = refTrim(m[1] + m[2])
	}
	switch {
	case v == "":
		return "", "empty"
	case refNothing.MatchString(v):
		return "", "placeholder"
	}
	if m := refBraces.FindStringSubmatch(v); m != nil {
		if digest, reason = r.id(m[1]); reason != "shape" {
			return digest, reason
		}
	}
	if refRecord.MatchString(v) {
		return "", "malformed"
	}
	if refMacro.MatchString(v) {
		return "", "macro"
	}
	digest, reason = r.id(v)
	if reason == "shape" && (refHeader.MatchString(v) || (r.header != "" && strings.EqualFold(v, r.header))) {
		reason = "header"
	}
	switch {
	case v == usher.MalformedRow:
		reason = "malformed"
	case refWithheld.MatchString(v):
		reason = "withheld"
	case reason == "shape" && refSheet.MatchString(v):
		reason = "spreadsheet"
	}
	return digest, reason
}

// nameOf returns the reference's name of a reason.
func nameOf(r hashing.Reason) string {
	if r >= hashing.Withheld { // by a column whose name only the job knows
		return "withheld"
	}
	return r.String()
}

// id judges a value without blanks, quotes and braces around it.
func (r reference) id(v string) (digest, reason string) {
	android, hashed := r.profile.Type == usher.AndroidID, r.input == usher.InputMD5
	isHex := refHex.MatchString(v)
	switch {
	case refMAC.MatchString(v):
		return "", "other_id"
	case refHyphened.MatchString(v):
		switch {
		case android:
			return "", "wrong_type"
		case refSame(strings.ReplaceAll(v, "-", "")):
			return "", "zero_id"
		case hashed:
			return "", "wrong_type"
		}
		return r.hash(v), ""
	case isHex && len(v) == 64:
		return "", "sha256"
	case isHex && len(v) == 40:
		return "", "sha1"
	case isHex && len(v) == 32:
		switch {
		case hashed && refSame(v):
			return "", "zero_id"
		case hashed:
			if reason := refHashesOf[strings.ToLower(v)]; reason != "" {
				return "", reason
			}
			return strings.ToLower(v), ""
		case android:
			return "", "looks_hashed"
		case refSame(v):
			return "", "zero_id"
		case !refVersion4.MatchString(v):
			return "", "looks_hashed"
		}
		return r.hash(v), ""
	case isHex && len(v) <= 16:
		switch {
		case android && refSame(v):
			return "", "zero_id"
		case refFifteen.MatchString(v) && refLuhn(v):
			return "", "other_id"
		case strings.EqualFold(v, "9774d56d682e549c"):
			return "", "shared_id"
		case android && !hashed && len(v) < 9:
			return "", "shape"
		case android && !hashed:
			return r.hash(v), ""
		case android, len(v) == 16:
			return "", "wrong_type"
		}
	}
	return "", "shape"
}

func (r reference) hash(v string) string {
	p := r.profile
	if p.Type != usher.AndroidID {
		v = strings.ReplaceAll(v, "-", "")
		if p.Hyphens == nil || *p.Hyphens {
			v = strings.Join([]string{v[:8], v[8:12], v[12:16], v[16:20], v[20:]}, "-")
		}
	}
	upper := p.Case == usher.Upper || (p.Case == "" && p.Type == usher.IDFA)
	if upper {
		return refMD5(strings.ToUpper(v))
	}
	return refMD5(strings.ToLower(v))
}

// row is the result of a line.
type row struct{ digest, reason string }

// lines judges a whole text.
func (r reference) lines(text string, records bool) []row {
	var rows []row
	all := strings.Split(text, "\n")
	if all[len(all)-1] == "" { // the text ends in \n
		all = all[:len(all)-1]
	}
	for _, line := range all {
		digest, reason := r.judge(line)
		if !records && reason == "empty" && refTrim(line) == "" {
			continue // a blank line
		}
		rows = append(rows, row{digest, reason})
	}
	return slices.Clip(rows)
}
