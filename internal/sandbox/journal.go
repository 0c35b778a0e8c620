package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox/operations"
	"usher/internal/sandbox/store"
)

// entry is a line of the journal: a request and its answer. It has no token, no
// password, no query and no digest of an upload.
type entry struct {
	Seq        int64                `json:"seq"` // 1, 2, …; continues when a data directory is opened again
	At         time.Time            `json:"at"`
	Op         string               `json:"op"` // "": the path or method is unknown
	Method     string               `json:"method"`
	Path       string               `json:"path"` // without a user's digest
	User       string               `json:"user"`
	Advertiser string               `json:"advertiser"` // of the token
	Status     int                  `json:"status"`     // 0: there was no answer
	Code       string               `json:"code,omitempty"`
	Fault      string               `json:"fault,omitempty"`    // the kind of the fault that hit
	Upload     *hashing.Fingerprint `json:"upload,omitempty"`   // of the uploaded hashes; repeated hashes count again
	Form       map[string]string    `json:"form,omitempty"`     // posted fields
	Warnings   int                  `json:"warnings,omitempty"` // in the answer
}

// addForm adds a posted field, but no secrets, and no query of a URL, which may have a secret.
func (e *entry) addForm(f rtb.Field, form url.Values) {
	if f.Secret || !form.Has(f.Name) {
		return
	}
	if e.Form == nil {
		e.Form = map[string]string{}
	}
	value, _, _ := strings.Cut(form.Get(f.Name), "?")
	e.Form[f.Name] = value
}

// journal keeps entries in the order in which the requests took effect. Each
// entry is written before its request is answered.
type journal struct {
	mu    sync.Mutex
	file  *store.Lines // nil: memory only
	seq   int64        // of the last entry
	lines [][]byte     // the last maxJournal entries or more, as JSON
}

// maxJournal is the number of entries that are kept in memory. The file has all entries.
const maxJournal = 1_000_000

// open reads the journal at path and appends later entries to it.
func (j *journal) open(path string) error {
	file, err := store.OpenLines(path, func(line []byte, _, _ int64) error {
		j.keep(line)
		return nil
	})
	if err != nil {
		return fmt.Errorf("open sandbox journal: %w", err)
	}
	j.file = file
	if len(j.lines) == 0 {
		return nil
	}
	var last entry
	if err := json.Unmarshal(j.lines[len(j.lines)-1], &last); err != nil {
		return fmt.Errorf("open sandbox journal: the last line of %s is not an entry; move the file away: %w", path, err)
	}
	j.seq = last.Seq
	return nil
}

// append sets the number of an entry and writes the entry.
func (j *journal) append(e entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Seq = j.seq + 1
	line := encode(e)
	if j.file != nil {
		if err := j.file.Append(line); err != nil {
			return fmt.Errorf("write sandbox journal: %w", err)
		}
	}
	j.seq++
	j.keep(line)
	return nil
}

func (j *journal) keep(line []byte) {
	if len(j.lines) >= maxJournal+maxJournal/10 {
		j.lines = append([][]byte(nil), j.lines[maxJournal/10:]...)
	}
	j.lines = append(j.lines, line)
}

// since returns the entries after seq as a JSON array.
func (j *journal) since(seq int64) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	first := j.seq - int64(len(j.lines)) + 1
	if seq+1 < first && first > 1 && seq >= 0 {
		return nil, operations.Failure{Status: http.StatusGone, Message: fmt.Sprintf("entries before %d are only in the file journal.jsonl", first)}
	}
	from := min(max(seq+1-first, 0), int64(len(j.lines)))
	return append(append([]byte("["), bytes.Join(j.lines[from:], []byte(","))...), ']'), nil
}

func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
