package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"usher/internal/exports/choose"

	"usher"
)

// Read is the result of reading an export to its end.
type Read struct {
	Job        *usher.Job
	Understood *usher.Understood
	Tally      *usher.Tally
	Warnings   []usher.Warning
}

// Of returns how an export was read. The caller adds the job and the time when it becomes the
// memory.
func Of(r Read) *usher.Memory {
	m := &usher.Memory{Understood: *r.Understood, Rows: r.Tally.Read, Dropped: r.Tally.Dropped(), Fields: FieldsOf(r.Job)}
	if r.Job.Source != nil {
		m.Only = r.Job.Source.Only
	}
	m.Understood.Withheld = nil // it is of other targets, and not of the export
	m.OtherCase = min(choose.OtherCase(r.Warnings), m.Rows)
	if ids := m.Rows - m.Dropped.Sum(); 2*m.OtherCase > ids {
		m.Understood.Kind = otherKind(m.Understood.Kind)
	}
	return m
}

// otherKind returns the kind of ids whose letters have the other case.
func otherKind(kind string) string {
	switch usher.IDType(kind) {
	case usher.IDFA:
		return string(usher.AAID)
	case usher.AAID:
		return string(usher.IDFA)
	}
	return kind
}

// FieldsOf returns a checksum of the fields of a job that say how its export is read: the job
// reads as before only if they are the same. Where the export is does not matter.
func FieldsOf(job *usher.Job) string {
	fields := usher.Job{Input: job.Input}
	if job.Profile != nil {
		profile := job.Profile.Resolved()
		fields.Profile = &profile
	}
	if fields.Input == usher.InputRaw {
		fields.Input = ""
	}
	s := &usher.Source{}
	if job.Source != nil {
		*s = *job.Source
	}
	fields.Source = s
	s.URL, s.Version, s.DoneMarker, s.Cut, s.IDs = "", "", "", nil, nil
	for _, field := range []*string{&s.Format, &s.Compression, &s.Column, &s.TypeColumn, &s.Delimiter, &s.Quote, &s.Escape, &s.Encoding} {
		if *field == "auto" {
			*field = ""
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // unreachable: all of it was JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
