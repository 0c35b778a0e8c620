package letters

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues"
)

// Knowing returns letters that know what later jobs mean for them, see usher.Later. uploads returns what is known
// of the jobs that are done.
func (ls *Letters) Knowing(uploads func(context.Context) (*Uploads, error)) *Letters {
	return &Letters{queue: ls.queue, store: ls.store, schemas: ls.schemas, uploads: uploads}
}

// AllUploads reads the records of all jobs.
func (ls *Letters) AllUploads(ctx context.Context) (*Uploads, error) {
	u := NewUploads()
	return u, ls.queue.Status().EachDone(ctx, u.Add)
}

// Uploads knows which exports jobs have uploaded.
type Uploads struct{ byTarget map[string][]upload }

// NewUploads returns Uploads that know of none.
func NewUploads() *Uploads { return &Uploads{byTarget: map[string][]upload{}} }

// upload is a job that is done.
type upload struct {
	id             string
	kind           usher.Kind
	job            usher.Job
	began, hasDone time.Time
}

// Add adds a job, if it is one that has done something with an export.
func (u *Uploads) Add(r *usher.Record) {
	if r.State != usher.Done || r.Started == nil || r.Finished == nil || !isUpload(r.Kind) {
		return
	}
	up := upload{id: r.ID, kind: r.Kind, began: *r.Started, hasDone: *r.Finished}
	if json.Unmarshal(r.Job, &up.job) != nil || up.job.DryRun {
		return
	}
	target := up.job.Target(r.Kind)
	u.byTarget[target] = append(u.byTarget[target], up)
}

// CanBeNeedless reports whether a later job can do what a job should do that has failed.
func CanBeNeedless(kind usher.Kind, class usher.Class) bool {
	return isUpload(kind) && class != usher.InvalidJob
}

func isUpload(k usher.Kind) bool { return k.HasExport() && k != usher.DeviceForget }

// after returns the job that has done what the job of a letter should do, or nil if the records do not prove
// that there is one: it has begun after the failure, on the same target, with the same export. A mirror does
// what all earlier ones of its target should do.
func (u *Uploads) after(l *usher.DeadLetter) *usher.Later {
	on := u.byTarget[l.Target]
	if len(on) == 0 {
		return nil
	}
	var job usher.Job
	if json.Unmarshal(l.Job, &job) != nil || job.DryRun {
		return nil
	}
	var last *upload
	for i := range on {
		if up := &on[i]; up.id != *l.ID && up.began.After(l.At) && up.replaces(l.Kind, &job) && (last == nil || up.began.After(last.began)) {
			last = up
		}
	}
	if last == nil {
		return nil
	}
	what := "has uploaded this export"
	switch {
	case !last.isOf(&job):
		what = fmt.Sprintf("has made %s equal to a newer export", l.Target)
	case l.Kind == usher.SegmentRemove:
		what = "has removed the ids of this export"
	}
	return &usher.Later{Job: last.id, At: last.hasDone, Needless: true, Why: fmt.Sprintf("the later job %s %s", last.id, what)}
}

// replaces reports whether the upload has done what a job should do.
func (up *upload) replaces(kind usher.Kind, job *usher.Job) bool {
	switch {
	case up.job.Advertiser != job.Advertiser || !sameProfile(up.job.Profile, job.Profile):
		return false
	case kind.Mirrors() && up.kind == kind:
		return true
	}
	return up.isOf(job) && (up.kind == kind || kind.Uploads() && up.kind.Mirrors() && !kind.Mirrors())
}

// isOf reports whether the upload was of a job's export. What the job says of how it is read must be the same; it
// may say less.
func (up *upload) isOf(job *usher.Job) bool {
	was, is := job.Source, up.job.Source
	if was == nil || is == nil || was.URL == "" || was.URL != is.URL || strings.Contains(was.URL, "?") { // the part after it is not on record
		return false
	}
	return agrees(was.Column, is.Column) && agrees(was.TypeColumn, is.TypeColumn) && agrees(was.Sheet, is.Sheet) &&
		(len(was.Only) == 0 || slices.Equal(was.Only, is.Only))
}

func agrees(was, is string) bool { return was == "" || was == is }

func sameProfile(a, b *usher.Profile) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// laterJobs finds what later jobs mean for letters. What a list of letters asks for is read once, and not before
// it is needed.
type laterJobs struct {
	objections

	uploads *Uploads
	reads   int // reads of what has superseded jobs on campaigns
}

// maxReads bounds the reads for a list of letters: each creative has an entry of its own.
const maxReads = 500

func (ls *Letters) laterJobs() *laterJobs { return &laterJobs{objections: objections{Letters: ls}} }

// of returns what a later job means for a letter, or nil.
func (j *laterJobs) of(ctx context.Context, l *queues.Letter) (*usher.Later, error) {
	if j.Letters.uploads == nil || l.ID == nil || l.Job == nil || l.Class == usher.InvalidJob {
		return nil, nil
	}
	if CanBeNeedless(l.Kind, l.Class) {
		if later, err := j.afterUpload(ctx, &l.DeadLetter); err != nil || later != nil {
			return later, err
		}
	}
	job := usher.Job{Segment: strings.TrimPrefix(l.Target, "segment "), Campaign: strings.TrimPrefix(l.Target, l.Kind.Family()+" ")}
	found := objection{}
	var err error
	switch l.Kind.Family() {
	case "segment", "target":
		found, err = j.byTarget(ctx, l, &job)
	case "campaign":
		if j.reads >= maxReads {
			return nil, nil
		}
		if json.Unmarshal(l.Job, &job) != nil {
			return nil, nil //nolint:nilerr // nothing is known of an unreadable job
		}
		j.reads += max(len(job.Creatives), 1)
		found, err = j.byCreatives(ctx, l, &job)
	}
	if err != nil || found.reason == "" {
		return nil, err
	}
	return &usher.Later{Job: found.job, Why: found.reason}, nil
}

func (j *laterJobs) afterUpload(ctx context.Context, l *usher.DeadLetter) (later *usher.Later, err error) {
	if j.uploads == nil {
		if j.uploads, err = j.Letters.uploads(ctx); err != nil {
			return nil, err
		}
	}
	return j.uploads.after(l), nil
}
