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
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rtb"
)

// upload generates the export, uploads it into a segment, and proves that the platform
// holds it.
func (d *demo) upload(ctx context.Context, s *stage) error {
	began := time.Now()
	export, err := writeExport(d.exports(), CustomersFile, d.ids, 1)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	d.page.heading("An export of a CRM system")
	d.page.textf("%s was generated: %s, %s, in %s. Like real exports it has a byte order mark, a German header, semicolons (also within quotes) and CRLF; ids in any case, quoted or in braces; and rows that are not iOS devices.",
		CustomersFile, readable.Count(export.rows, "row"), readable.Bytes(export.bytes), time.Since(began).Round(10*time.Millisecond))
	r, err := d.submit(ctx, s, export)
	if err != nil {
		return err
	}
	return d.prove(ctx, s, export, r)
}

// source returns the source of a job that uploads the export.
func (b *expectation) source() *usher.Source {
	return &usher.Source{URL: (&url.URL{Scheme: "file", Path: b.file}).String()}
}

// submit submits the upload over NATS and follows it until it ends.
func (d *demo) submit(ctx context.Context, s *stage, export *expectation) (usher.Record, error) {
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
	d.page.textf("A CRM system sends this request to usher.submit.segment.add. The response arrives when the job is validated and stored, not when it is done.")
	d.page.codef("> %s", body)
	answer, id, err := s.request(ctx, usher.SegmentAdd, body)
	if err != nil {
		return usher.Record{}, err
	}
	d.page.codef("< %s", bytes.TrimSpace(answer))
	d.page.textf("A worker detects format, header and column, cuts the file into parts, hashes each id in the form of its profile (idfa: upper case, hyphens, MD5) and sends batches of 100,000 digests. Here the sandbox takes a second for each batch, so that the progress is visible:")
	waiting := jobs.Waiter{Queue: s.queue, Rows: export.rows}
	bar := terminal.NewProgress(d.page.errs, id, export.rows, 0)
	r, err := waiting.Follow(ctx, id, bar)
	bar.Update(r, time.Now())
	bar.End()
	if err != nil {
		return r, fmt.Errorf("follow job %s: %w", id, err)
	}
	return r, mustBeDone(r)
}

// mustBeDone returns an error unless the job is done.
func mustBeDone(r usher.Record) error {
	switch {
	case r.State == usher.Done:
		return nil
	case r.Error != nil:
		return fmt.Errorf("job %s should be done, but is %s: %s: %s; hint: %s", r.ID, r.State, r.Error.Class, r.Error.Message, r.Error.Hint)
	}
	return fmt.Errorf("job %s should be done, but is %s", r.ID, r.State)
}

// prove shows the tally and what the platform holds.
func (d *demo) prove(ctx context.Context, s *stage, export *expectation, r usher.Record) error {
	d.page.heading("The tally: every row is counted in exactly one line")
	d.page.table(func(w io.Writer) error { return jobs.WriteTally(w, r.Tally, "accepted") })
	d.page.textf("The lines add up to the %s of the export, and each equals what was written to it. Values under junk do not name a device: limited ad tracking, blanks, placeholders, IMEIs. Values under invalid are not ids of this profile. Neither are hashed, because a digest would not show that they are wrong.", readable.Count(export.rows, "row"))
	if r.Started != nil && r.Finished != nil {
		took := max(r.Finished.Sub(*r.Started), time.Millisecond)
		d.page.textf("The job took %s in %s and %s, nearly all of it spent in the sandbox. 'make bench' shows usher's speed.",
			took.Round(10*time.Millisecond), readable.Count(max(r.Parts.Total, 1), "part"), readable.Count(r.Batches, "request"))
	}
	if err := export.check(r.Tally); err != nil {
		return err
	}

	d.page.heading("Proof: ask the platform")
	for _, check := range []struct {
		digest, device string
		want           bool
	}{
		{export.member, fmt.Sprintf("row %s of the export", readable.Number(export.memberRow)), true},
		{export.absent, "a device that is not in the export", false},
	} {
		got, err := s.platform.Segments.Contains(ctx, "1", rtb.TypeIDFA, check.digest)
		if err != nil {
			return fmt.Errorf("look up %s on the platform: %w", check.device, err)
		}
		d.page.codef("GET /v3/segments/1/IDFA/%s  →  %-5t  %s", check.digest, got, check.device)
		if got != check.want {
			return fmt.Errorf("look up %s on the platform: the answer should be %t, but is %t", check.device, check.want, got)
		}
	}
	members, err := s.fingerprint(ctx, "segments/1")
	if err != nil {
		return err
	}
	return d.compare(members, export, r.Tally)
}

// compare compares the platform's members with the expectation and the tally.
func (d *demo) compare(members fingerprint, export *expectation, t usher.Tally) error {
	if members != export.members {
		return fmt.Errorf("compare the segment with the export: the platform holds %d ids and the export has %d, or the ids differ", members.count, export.members.count)
	}
	repeated := ""
	if more := t.Accepted - members.count; more > 0 {
		repeated = fmt.Sprintf(" (%s occurred again in another part and were sent again, which the platform counts once)", readable.Count(more, "id"))
	}
	d.page.textf("The segment holds %s distinct digests; %s were accepted%s. Their count, sum and exclusive or equal those computed independently while the export was generated: nothing was lost, nothing was made up.",
		readable.Number(members.count), readable.Number(t.Accepted), repeated)
	return nil
}

// errUnexpected means that a step had another result than expected.
var errUnexpected = errors.New("unexpected result")
