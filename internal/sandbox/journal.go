package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"usher/internal/rtb"
)

// entry is a line of the journal: what was asked and what was answered. It has
// no token, no password, no query and no digest of an upload.
type entry struct {
	Seq        int64             `json:"seq"` // 1, 2, … for as long as the data lives
	At         time.Time         `json:"at"`
	Op         string            `json:"op"` // empty: the path or method is unknown
	Method     string            `json:"method"`
	Path       string            `json:"path"` // a user's digest left out
	User       string            `json:"user"`
	Advertiser string            `json:"advertiser"` // the token's
	Status     int               `json:"status"`     // 0: there was no answer
	Code       string            `json:"code,omitempty"`
	Fault      string            `json:"fault,omitempty"`    // the kind of a fault that was made
	Upload     *shownFingerprint `json:"upload,omitempty"`   // of the hashes as they came, repeats counted again
	Form       map[string]string `json:"form,omitempty"`     // what was posted: a status
	Warnings   int               `json:"warnings,omitempty"` // in the answer
}

// post notes a posted field, but no secret and no query of a URL, which may
// hold one.
func (e *entry) post(f rtb.Field, form url.Values) {
	if f.Secret || !form.Has(f.Name) {
		return
	}
	if e.Form == nil {
		e.Form = map[string]string{}
	}
	value, _, _ := strings.Cut(form.Get(f.Name), "?")
	e.Form[f.Name] = value
}

// journal keeps entries in the order in which they took effect: each is written
// before its request is answered. Sandbox.mu guards it.
type journal struct {
	file  *os.File // nil: memory only
	seq   int64    // of the last entry
	lines [][]byte // the last journalKept entries as JSON
}

// journalKept is how many entries memory holds. The file has them all.
const journalKept = 1_000_000

// openJournal opens the journal at path, or one in memory where path is empty.
func openJournal(path string) (*journal, error) {
	j := &journal{}
	if path == "" {
		return j, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's
	if err != nil {
		return nil, fmt.Errorf("open sandbox journal: %w", err)
	}
	j.file = file
	if err := j.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("read sandbox journal %s: %w", path, err), file.Close())
	}
	return j, nil
}

// load reads the entries and cuts off a torn last line.
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
			return fmt.Errorf("the last line is no entry, move the file away: %w", err)
		}
		j.seq = last.Seq
	}
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	_, err := j.file.Seek(size, io.SeekStart)
	return err
}

// append writes an entry and gives it its number.
func (j *journal) append(e entry) error {
	e.Seq = j.seq + 1
	line := mustJSON(e)
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
	if len(j.lines) >= journalKept+journalKept/10 {
		j.lines = append([][]byte(nil), j.lines[journalKept/10:]...)
	}
	j.lines = append(j.lines, line)
}

// since returns the entries after seq as a JSON array.
func (j *journal) since(seq int64) ([]byte, error) {
	first := j.seq - int64(len(j.lines)) + 1
	if seq+1 < first && first > 1 && seq >= 0 {
		return nil, failure{status: 410, message: fmt.Sprintf("entries before %d are only in the file journal.jsonl", first)}
	}
	from := min(max(seq+1-first, 0), int64(len(j.lines)))
	return append(append([]byte("["), bytes.Join(j.lines[from:], []byte(","))...), ']'), nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	err := errors.Join(j.file.Sync(), j.file.Close())
	j.file = nil
	return err
}
