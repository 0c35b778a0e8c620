package readable

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Number returns n with commas between thousands: 1,234,567.
func Number(n int64) string {
	digits := fmt.Sprint(n)
	from := 1
	if n < 0 {
		from = 2
	}
	for i := len(digits) - 3; i >= from; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Change returns how many ids were added and removed: +1, −20,327.
func Change(added, removed int64) string {
	return "+" + Number(added) + ", −" + Number(removed)
}

// Count returns n and a noun, with a plural s unless n is 1: "1 job", "2 jobs".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(int64(n)) + " " + noun + "s"
}

// Exact returns a number without needless digits: 0.95.
func Exact(n float64) string {
	if magnitude := math.Abs(n); magnitude >= 1e15 || magnitude < 1e-6 && n != 0 {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// Short returns a number with six significant digits, without exponent. NaN is unknown.
func Short(v float64) string { return short(v, 0) }

// maxMore is the number of decimals that Apart adds at most.
const maxMore = 17

// Apart returns a function that formats numbers as Short does or, if two different ones of these
// would look alike, with as many more decimals as tell them apart.
func Apart(numbers ...float64) func(float64) string {
	for more := range maxMore {
		format := func(v float64) string { return short(v, more) }
		if !lookAlike(numbers, format) {
			return format
		}
	}
	return func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
}

// lookAlike reports whether two different numbers are formatted alike.
func lookAlike(numbers []float64, format func(float64) string) bool {
	texts := map[string]float64{}
	for _, v := range numbers {
		text := format(v)
		if before, found := texts[text]; found && before != v && !math.IsNaN(v) {
			return true
		}
		texts[text] = v
	}
	return false
}

// short formats a number as Short does, with some more decimals.
func short(v float64, more int) string {
	if math.IsNaN(v) {
		return "unknown"
	}
	decimals := 6
	if v != 0 {
		decimals = min(max(5-int(math.Floor(math.Log10(math.Abs(v)))), 0), 12)
	}
	if math.Abs(v) >= 100 {
		decimals = min(decimals, 2)
	}
	text := strconv.FormatFloat(v, 'f', decimals+more, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Bytes returns a size in decimal units: 12.3 MB is 12.3 million bytes.
func Bytes(n int64) string {
	if n < 1000 {
		return Count(n, "byte")
	}
	value, unit := float64(n), ""
	for _, unit = range []string{"kB", "MB", "GB", "TB"} {
		if value /= 1000; value < 1000 {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// Duration returns d in its two largest units: 2h5m, 12s.
func Duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// Ago returns how long before now t was, in its largest unit: "3m ago", or "in 3m" if it is
// later. It returns "–" if t is zero.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "–"
	}
	d := now.Sub(t)
	if d < 0 {
		return "in " + age(-d)
	}
	return age(d) + " ago"
}

func age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 2*day:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d/day))
}

// Time returns t in local time, to the second, or "–" if t is zero.
func Time(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04:05") //nolint:gosmopolitan // read beside the local clock; JSON has UTC
}
