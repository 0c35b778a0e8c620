package pipeline

import (
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
)

// DecideInput decides whether the values of a block are raw ids or MD5 digests, for a
// job with input auto.
func DecideInput(profile usher.Profile, sample *usher.Block) usher.Input {
	return hashing.DecideInput(profile, sample.Data)
}

// HashInline replaces the inline ids of a job by their digests, so that no raw id is stored,
// and sets its input to md5. Duplicates are kept. It returns the tally of the ids that it
// dropped, which no other tally counts. It does not change a job without inline ids. The ids
// of a device.forget become the digests of all their forms.
func HashInline(job *usher.Job) (usher.Tally, error) {
	var dropped usher.Tally
	if len(job.IDs) > 0 && job.Input != usher.InputMD5 {
		return dropped, hashForms(job)
	}
	if job.Source == nil || len(job.Source.IDs) == 0 {
		return dropped, nil
	}
	if job.Profile == nil {
		return dropped, usher.Refuse(usher.InvalidJob, "give the job a profile: idfa, aaid or android_id", "hash inline ids: the job has no profile")
	}
	input := job.Input
	if input == usher.InputAuto {
		input = hashing.DecideInput(*job.Profile, []byte(strings.Join(job.Source.IDs, "\n")))
	}
	hasher, err := hashing.New(*job.Profile, input)
	if err != nil {
		return dropped, usher.Refuse(usher.InvalidJob, "correct the job's profile and input", "hash inline ids: %w", err)
	}
	digests := make([]string, 0, len(job.Source.IDs))
	var rejects hashing.Counts
	for _, id := range job.Source.IDs {
		d, reason := hasher.Hash([]byte(id))
		if reason != hashing.None {
			rejects[reason]++
			dropped.Read++
			continue
		}
		digests = append(digests, d.String())
	}
	rejects.AddTo(&dropped, nil)
	if err := dropped.Check(); err != nil {
		return usher.Tally{}, fmt.Errorf("hash inline ids: %w", err)
	}
	source := *job.Source
	source.IDs = digests
	job.Source, job.Input = &source, usher.InputMD5
	return dropped, nil
}

// hashForms replaces the ids of a device.forget by the digests of all their forms. The
// schema has accepted the ids.
func hashForms(job *usher.Job) error {
	hashed := make([]string, len(job.IDs))
	for i, id := range job.IDs {
		digests, reason := hashing.Forms([]byte(id))
		if reason != hashing.None {
			return usher.Refuse(usher.InvalidJob, "correct the ids of the job", "hash ids: /ids/%d is no device id (%s)", i, reason)
		}
		hashed[i] = hashing.EncodeForms(digests)
	}
	job.IDs, job.Input = hashed, usher.InputMD5
	return nil
}
