package memory

import (
	"slices"
	"strings"

	"usher"
)

// Prefixes of reasons in a memory. Rows that source.only leaves out are counted by the column that
// they fail, and compared as one reason.
const (
	junk     = "junk."
	invalid  = "invalid."
	withheld = "withheld."
)

// malformed is the reason of rows that cannot be parsed.
const malformed = invalid + usher.Malformed

// reasonsOf returns the reasons of counts in order, with one for all that are withheld.
func reasonsOf(counts usher.Counts) []string {
	var list []string
	for reason := range counts {
		if strings.HasPrefix(reason, withheld) {
			reason = withheld
		}
		list = append(list, reason)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// rowsOf returns the number of rows of a reason.
func rowsOf(counts usher.Counts, reason string) (n int64) {
	if reason != withheld {
		return counts[reason]
	}
	for each, rows := range counts {
		if strings.HasPrefix(each, withheld) {
			n += rows
		}
	}
	return n
}

// words say what rows of a reason are, after their number: "12 rows …".
var words = map[string]string{
	junk + usher.Empty:          "have no id",
	junk + usher.ZeroID:         "have an id of zeros or of one digit, as phones give that limit tracking",
	junk + usher.SharedID:       "have the id 9774d56d682e549c, which many phones share",
	junk + usher.OtherID:        "have an IMEI or a MAC address",
	junk + usher.Placeholder:    "have a placeholder, such as null or unknown",
	junk + usher.Macro:          "have a macro that was not replaced, such as {ifa}",
	junk + usher.Spreadsheet:    "have what a spreadsheet makes of an id, such as 1.2E+15",
	junk + usher.Header:         "are a header that is repeated",
	invalid + usher.Shape:       "have a value that is no device id",
	invalid + usher.SHA1:        "have a SHA-1 hash",
	invalid + usher.SHA256:      "have a SHA-256 hash",
	invalid + usher.WrongType:   "are of another type of ids, or of a type that usher does not know",
	malformed:                   "cannot be parsed",
	withheld:                    "are left out by source.only",
	invalid + usher.LooksHashed: "have 32 digits as MD5 hashes do",
}

// meaning says what rows of a reason are. byType is whether a column says of which type each id is.
func meaning(reason string, byType bool) string {
	if reason == invalid+usher.WrongType && !byType {
		return "have an id of another kind than the job takes"
	}
	if text := words[reason]; text != "" {
		return text
	}
	return "count as " + reason
}

// percent returns a share in percent.
func percent(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
