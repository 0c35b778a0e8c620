package submit

import (
	"encoding/json"
	"fmt"
	"io"

	"usher"
	"usher/hashing"
	"usher/internal/readable"
)

// warnUnlikely warns of raw ids in a job that only have the form of an ANDROID_ID. Workers cannot
// do it, because they get digests of these ids. It prints no id.
func warnUnlikely(w io.Writer, body []byte) {
	var job usher.Job
	if json.Unmarshal(body, &job) != nil || job.Input == usher.InputMD5 {
		return
	}
	ids, pointer, what := job.IDs, "/ids", "nothing of these persons is forgotten"
	if job.Source != nil && job.Profile != nil && job.Profile.Type == usher.AndroidID {
		ids, pointer, what = job.Source.IDs, "/source/ids", "they are hashed all the same"
	}
	unlikely, first := 0, 0
	for i, id := range ids {
		if !hashing.IsUnlikely([]byte(id)) {
			continue
		}
		if unlikely == 0 {
			first = i
		}
		unlikely++
	}
	if unlikely > 0 {
		fmt.Fprintf(w, "warning: %d of %s, the first at %s/%d, have at most 12 characters or no letters, as ANDROID_IDs hardly ever have: if they are customer numbers or telephone numbers, %s\n",
			unlikely, readable.Count(len(ids), "id"), pointer, first, what)
	}
}
