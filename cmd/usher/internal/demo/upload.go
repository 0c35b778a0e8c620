package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"usher"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rtb"
)

// upload makes the export, has it uploaded into a segment, and proves that it
// is there.
func (d *demo) upload(ctx context.Context, s *stage) error {
	began := time.Now()
	export, err := writeExport(d.exports(), CustomersFile, d.ids, 1)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	d.page.heading("An export, as CRM systems write them")
	d.page.sayf("%s is made: %s, %s, in %s. It has what real ones have: a byte order mark, a German header, semicolons (also within quotes), CRLF; ids in any case, in quotes, in braces, without hyphens; and rows that are no iOS device at all.",
		CustomersFile, readable.Count(export.rows, "row"), readable.Bytes(export.bytes), time.Since(began).Round(10*time.Millisecond))
	r, err := d.seat(ctx, s, export)
	if err != nil {
		return err
	}
	return d.prove(ctx, s, export, r)
}

// source is an export's place in a job.
func (b *books) source() *usher.Source {
	return &usher.Source{URL: (&url.URL{Scheme: "file", Path: b.file}).String()}
}

// seat submits the job over NATS and follows it to its end.
func (d *demo) seat(ctx context.Context, s *stage, export *books) (usher.Record, error) {
	body, err := json.Marshal(usher.Job{
		ID: "demo-customers", Segment: "1", Profile: &usher.Profile{Type: usher.IDFA}, Source: export.source(),
	})
	if err != nil {
		return usher.Record{}, fmt.Errorf("encode job: %w", err)
	}
	if err := s.slowUploads(ctx, time.Second); err != nil {
		return usher.Record{}, err
	}
	d.page.heading("A job over NATS: upload the export into a segment")
	d.page.sayf("A CRM system sends this as a request to usher.submit.segment.add. The answer comes when the job is valid and stored, not when it is done.")
	d.page.codef("> %s", body)
	answer, id, err := s.request(ctx, usher.SegmentAdd, body)
	if err != nil {
		return usher.Record{}, err
	}
	d.page.codef("< %s", bytes.TrimSpace(answer))
	d.page.sayf("A worker finds out format, header and column, cuts the file into parts, hashes each id as its profile says (idfa: upper case, hyphens, MD5) and sends batches of 100,000 digests. The sandbox takes a second over each here, so that there is something to see:")
	waiting := jobs.Waiter{Queue: s.queue, Rows: export.rows}
	bar := terminal.NewProgress(d.page.errs, id, export.rows)
	r, err := waiting.Follow(ctx, id, bar)
	bar.See(r, time.Now())
	bar.End()
	if err != nil {
		return r, fmt.Errorf("follow job %s: %w", id, err)
	}
	return r, mustBeDone(r)
}

// mustBeDone is an error unless the job is done.
func mustBeDone(r usher.Record) error {
	switch {
	case r.State == usher.Done:
		return nil
	case r.Error != nil:
		return fmt.Errorf("job %s must be done, and is %s: %s: %s; hint: %s", r.ID, r.State, r.Error.Class, r.Error.Message, r.Error.Hint)
	}
	return fmt.Errorf("job %s must be done, and is %s", r.ID, r.State)
}

// prove shows the tally and asks the platform what it holds.
func (d *demo) prove(ctx context.Context, s *stage, export *books, r usher.Record) error {
	d.page.heading("The tally: every row is in exactly one line of it")
	d.page.table(func(w io.Writer) error { return records.WriteTally(w, r.Tally, "accepted") })
	d.page.sayf("The lines add up to the %s of the export, and each is what was put into it. junk names no device: limited ad tracking, blanks, placeholders, IMEIs; invalid is no id of this profile. None of these was hashed: that would hide them.", readable.Count(export.rows, "row"))
	if r.Started != nil && r.Finished != nil {
		took := max(r.Finished.Sub(*r.Started), time.Millisecond)
		d.page.sayf("It took %s in %s and %s, nearly all of it the sandbox's: 'make bench' shows the speed.",
			took.Round(10*time.Millisecond), readable.Count(int64(max(r.Parts.Total, 1)), "part"), readable.Count(r.Batches, "request"))
	}
	if err := export.check(r.Tally); err != nil {
		return err
	}

	d.page.heading("Proof: ask the platform")
	for _, ask := range []struct {
		digest, whose string
		want          bool
	}{
		{export.member, fmt.Sprintf("row %s of the export", readable.Number(export.memberRow)), true},
		{export.stranger, "a device that is not in it", false},
	} {
		got, err := s.platform.Segments.Contains(ctx, "1", rtb.TypeIDFA, ask.digest)
		if err != nil {
			return fmt.Errorf("ask the platform for %s: %w", ask.whose, err)
		}
		d.page.codef("GET /v3/segments/1/IDFA/%s  →  %-5t  %s", ask.digest, got, ask.whose)
		if got != ask.want {
			return fmt.Errorf("ask the platform for %s: it must say %t, and says %t", ask.whose, ask.want, got)
		}
	}
	members, err := s.fingerprint(ctx, "segments/1")
	if err != nil {
		return err
	}
	return d.compare(members, export, r.Tally)
}

// compare holds the platform's members against the books and the tally.
func (d *demo) compare(members imprint, export *books, t usher.Tally) error {
	if members != export.members {
		return fmt.Errorf("compare the segment with the export: the platform holds %d ids, the export has %d, or they are others", members.count, export.members.count)
	}
	again := ""
	if more := t.Accepted - members.count; more > 0 {
		again = fmt.Sprintf(" (%s came again in another part and were sent again, which the platform takes as one)", readable.Count(more, "id"))
	}
	d.page.sayf("The segment holds %s distinct digests, of %s accepted%s. Count, sum and exclusive or of them equal those reckoned with nothing of usher's while the export was made: nothing lost, nothing made up.",
		readable.Number(members.count), readable.Number(t.Accepted), again)
	return nil
}

// errNotAsPlanned says that a step went another way than it must.
var errNotAsPlanned = errors.New("not what must come of it")
