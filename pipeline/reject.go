package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
)

// joinedIDs is the warning for a row that may be two ids without a line end between them.
var joinedIDs = usher.Warning{
	Code: usher.WarnJoinedIDs, Count: 1,
	Description: "rows have as many digits as two ids: they are digests, or files were joined without a line end: " +
		"look at them (usher inspect FILE --rejects ROWS.csv writes them), and end each file with a line end",
}

// checkFirst checks maxRejectPercent on a part's first batch before it is sent.
func checkFirst(o *Options, t usher.Tally) error {
	if t.RejectPercent() <= o.MaxRejectPercent {
		return nil
	}
	return tooManyRejects(o, firstRows(t.Read), t)
}

// checkWindow checks maxMalformedPercent on a part's first window before any of it is
// sent. It checks the window, which is nearly always the whole part, so that a few
// malformed rows at the beginning of a long export do not end the job.
func checkWindow(o *Options, w *window) error {
	t := usher.Tally{Read: int64(w.rows)}
	var rejects hashing.Counts
	for _, r := range w.rejects {
		rejects[r.reason()]++
	}
	rejects.AddTo(&t, o.Withheld)
	return checkMalformed(o, firstRows(t.Read), t)
}

// checkMalformed checks maxMalformedPercent on rows, which the error names.
func checkMalformed(o *Options, rows string, t usher.Tally) error {
	if t.MalformedPercent() <= o.MaxMalformedPercent {
		return nil
	}
	return &usher.Permanent{
		Class: usher.TooManyRejects,
		Hint:  "look at these rows (usher inspect FILE --rejects ROWS.csv writes them); if it is CSV, say by source.escape or source.quote how it is written; if it is JSON, have it written again (PostgreSQL's COPY in text format doubles backslashes, psql -At does not); or raise maxMalformedPercent",
		Err: fmt.Errorf("check rows: %.3g %% of %s cannot be parsed, more than maxMalformedPercent %v allows%s",
			t.MalformedPercent(), rows, o.MaxMalformedPercent, reasons(t)),
	}
}

// checkPart checks maxMalformedPercent and maxRejectPercent on a part when all its batches
// are acknowledged.
func checkPart(o *Options, c usher.Checkpoint) error {
	if o.First && c.Tally.Read == 0 {
		return usher.Refuse(usher.TooManyRejects,
			"if it should have rows, write the export again and replay the job; otherwise discard the dead letter",
			"check rows: the export has none")
	}
	if err := checkMalformed(o, countRows(c.Tally.Read), c.Tally); err != nil {
		return err
	}
	if o.First && c.Batches == 0 && c.Tally.Withheld.Sum() == 0 { // otherwise CheckOnlyValues judges the whole export
		hint := cmp.Or(digestsHint(o, c.Tally), "check the job's profile, input and source.column: usher inspect FILE shows what the export holds")
		if t := c.Tally; t.Suppressed > 0 && t.Junk.Sum()+t.Invalid.Sum() == 0 {
			hint = "its ids must not be uploaded: they are on the suppression list, see usher suppress ls, or in the file of upload.suppression"
		}
		if c.Tally.Read == 1 {
			return usher.Refuse(usher.TooManyRejects, hint, "check rows: the only row has no id to send%s", reasons(c.Tally))
		}
		return usher.Refuse(usher.TooManyRejects, hint,
			"check rows: none of the first %d rows has an id to send%s", c.Tally.Read, reasons(c.Tally))
	}
	if c.Tally.RejectPercent() <= o.MaxRejectPercent {
		return nil
	}
	err := tooManyRejects(o, countRows(c.Tally.Read), c.Tally)
	if message := c.Refusal.Message; message != "" && c.Tally.Refused.Sum() > c.Tally.Invalid.Sum() {
		err.Hint = "the rows are well formed: read the platform's message, check the target, then replay the job"
		err.Err = fmt.Errorf("%w; the platform said: %s", err.Err, message)
	}
	return err
}

// firstRows and countRows name rows in a message.
func firstRows(n int64) string {
	if n == 1 {
		return "the first row"
	}
	return fmt.Sprintf("the first %d rows", n)
}

func countRows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// tooManyRejects returns the error of rows, which it names, with too many rejects.
func tooManyRejects(o *Options, rows string, t usher.Tally) *usher.Permanent {
	err := fmt.Errorf("check rows: %.1f %% of %s are invalid or refused, more than maxRejectPercent %v allows%s",
		t.RejectPercent(), rows, o.MaxRejectPercent, reasons(t))
	if hint := digestsHint(o, t); hint != "" {
		return &usher.Permanent{Class: usher.TooManyRejects, Hint: hint, Err: err}
	}
	if o.Typed && t.Invalid[usher.WrongType] > (t.Invalid.Sum()+t.Refused.Sum())/2 {
		return &usher.Permanent{
			Class: usher.TooManyRejects,
			Hint:  "most rows are of another type than the profile's: if that is right, set maxRejectPercent to 100, and upload them by a second job with their profile; otherwise check source.typeColumn",
			Err:   err,
		}
	}
	return &usher.Permanent{
		Class: usher.TooManyRejects,
		Hint:  "check the job's profile, input and source.column (usher inspect FILE shows what the export holds), or raise maxRejectPercent",
		Err:   err,
	}
}

// digestsHint is the hint for rows most of which are MD5 digests under input raw, otherwise "".
func digestsHint(o *Options, t usher.Tally) string {
	others := t.Invalid.Sum() + t.Junk.Sum()
	if o.Typed { // the rows of another type are another job's
		others -= t.Invalid[usher.WrongType]
	}
	if o.Input == usher.InputMD5 || 2*t.Invalid[usher.LooksHashed] <= others {
		return ""
	}
	return "set input to md5 if the values are MD5 digests of device ids, as they look; if they are digests of something else, set source.column to the column of device ids"
}

// reasons lists the dropped rows, most frequent first: (invalid.shape 12, junk.header 3).
func reasons(t usher.Tally) string {
	all := map[string]int64{}
	for column, counts := range map[string]usher.Counts{"withheld": t.Withheld, "junk": t.Junk, "invalid": t.Invalid, "refused": t.Refused} {
		for reason, n := range counts {
			all[column+"."+reason] = n
		}
	}
	if t.Suppressed > 0 {
		all["suppressed"] = t.Suppressed
	}
	if len(all) == 0 {
		return ""
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a, b))
	})
	parts := make([]string, 0, len(keys))
	for _, k := range keys[:min(len(keys), 5)] {
		parts = append(parts, fmt.Sprintf("%s %d", k, all[k]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
