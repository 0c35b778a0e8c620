package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
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
	file  *os.File // nil: memory only
	seq   int64    // of the last entry
	lines [][]byte // the last maxJournal entries or more, as JSON
}

// maxJournal is the number of entries that are kept in memory. The file has all entries.
const maxJournal = 1_000_000

// open reads the journal at path and appends later entries to it.
func (j *journal) open(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's
	if err != nil {
		return fmt.Errorf("open sandbox journal: %w", err)
	}
	j.file = file
	if err := j.load(); err != nil {
		return fmt.Errorf("read sandbox journal %s: %w", path, err)
	}
	return nil
}

// load reads the entries and removes an incomplete last line.
func (j *journal) load() error {
	r := bufio.NewReaderSize(j.file, 1<<20)
	var size int64
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		size += int64(len(line))
		j.keep(bytes.TrimSuffix(line, []byte("\n")))
	}
	if len(j.lines) > 0 {
		var last entry
		if err := json.Unmarshal(j.lines[len(j.lines)-1], &last); err != nil {
			return fmt.Errorf("the last line is not an entry; move the file away: %w", err)
		}
		j.seq = last.Seq
	}
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	_, err := j.file.Seek(size, io.SeekStart)
	return err
}

// append sets the number of an entry and writes the entry.
func (j *journal) append(e entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Seq = j.seq + 1
	line := envelope.JSON(e)
	if j.file != nil {
		if _, err := j.file.Write(append(line, '\n')); err != nil {
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
		return nil, envelope.Failure{Status: http.StatusGone, Message: fmt.Sprintf("entries before %d are only in the file journal.jsonl", first)}
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
	err := errors.Join(j.file.Sync(), j.file.Close())
	j.file = nil
	return err
}
