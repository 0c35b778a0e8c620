package names

import (
	"slices"
	"strings"
)

// timeNames are the words of a name that is of times, and timeEndings those that are only at its end.
var (
	timeNames   = strings.Fields("date datum time timestamp ts dt datetime fecha tarih tarihi when since")
	timeEndings = strings.Fields("at on am le el op dnia bi")
)

// IsOfTimes reports whether the column of a category has the times of opt-outs, by its name: deleted_at.
func IsOfTimes(category, name string) bool {
	if category != SaysOptOut && category != SaysUnclear {
		return false
	}
	words := textsOf(wordsOf(name))
	for i, word := range words {
		isLast := i > 0 && i == len(words)-1
		if slices.Contains(timeNames, word) || strings.HasSuffix(word, "datum") || isLast && slices.Contains(timeEndings, word) {
			return true
		}
	}
	return false
}

// Words within dates and times. The days and endings mean a date only beside the name of a month.
var (
	months = strings.Fields(`jan january januar janvier enero ene gennaio gen janeiro januari feb february februar février febrero febbraio
		fevereiro februari mar march märz mrz mär mars marzo março maart mrt apr april avr avril abr abril aprile may mai mayo mag maggio maio
		mei jun june juni juin junio giugno giu junho jul july juli juillet julio luglio lug julho aug august août ago agosto augustus
		sep sept september septembre septiembre settembre set setembro oct october okt oktober octobre octubre ott ottobre out outubro
		nov november novembre noviembre novembro dec december dez dezember déc décembre dic diciembre dicembre dezembro`)
	clocks = strings.Fields("t z am pm utc gmt cet cest mez mesz wet eet msk est edt cst cdt mst mdt pst pdt bst jst ist uhr 年 月 日 年月日 時 分 秒") //nolint:gosmopolitan // as Japanese programs write dates
	days   = strings.Fields(`st nd rd th of de mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday
		mo montag di dienstag mi mittwoch do donnerstag fr freitag sa samstag so sonntag`)
)

// IsTime reports whether a text is a date, a time, or seconds, milli-, micro- or nanoseconds since 1970: as
// ISO 8601, RFC 2822, databases, spreadsheets and programs write them, in any case.
func IsTime(text string) bool {
	text, _, _ = strings.Cut(text, " (")  // JavaScript: (Central European Standard Time)
	text, _, _ = strings.Cut(text, " m=") // Go
	digits, others, named, isDay := 0, 0, false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case strings.IndexByte("-/.: +,", c) >= 0:
			others++
		case isLetter(c):
			n := 1
			for i+n < len(text) && isLetter(text[i+n]) {
				n++
			}
			switch word := text[i : i+n]; {
			case isAnyOf(clocks, word):
				others++
			case isAnyOf(months, word):
				named = true
			case isAnyOf(days, word):
				isDay = true
			default:
				return false
			}
			i += n - 1
		default:
			return false
		}
	}
	if named {
		return digits >= 3 && digits <= mostDigits
	}
	return !isDay && isNumericTime(text, digits, others)
}

// mostDigits is the number of digits of a time to the nanosecond, with those of its zone twice, as Go writes it.
const mostDigits = 31

// isNumericTime is IsTime for a text without the name of a month. others are those of its characters and words
// that are no digits.
func isNumericTime(text string, digits, others int) bool {
	number := strings.ReplaceAll(text, ",", ".")
	if whole, _, found := strings.Cut(strings.TrimPrefix(number, "-"), "."); found && others == 1+strings.Count(text, "-") && strings.Count(number, ".") == 1 && len(whole) < len("1700000000") {
		return false // a number, such as a latitude
	}
	switch {
	case others == 0:
		return digits == 8 || digits == 10 || digits == 13 || digits == 16 || digits == 19
	case digits < 6:
		return digits >= 4 && strings.Count(text, "/") == 2 // 1/2/26
	}
	return digits <= mostDigits
}

// isAnyOf reports whether a word is in a list of words in lower case, in any case itself.
func isAnyOf(list []string, word string) bool {
	const longest = 12
	return len(word) <= longest && slices.ContainsFunc(list, func(known string) bool {
		return len(known) == len(word) && strings.EqualFold(known, word)
	})
}
