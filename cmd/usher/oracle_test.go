package main_test

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
)

// The oracles stand outside the code under test: what an export holds is
// computed here again, from crypto/md5 and a map, and what the platform got is
// read from its journal and fingerprints.

// footprint is the count, the 128-bit sum and the xor of distinct digests.
type footprint struct {
	Count int64  `json:"count"`
	Sum   string `json:"sum"`
	Xor   string `json:"xor"`
}

func fingerprintOf(digests map[[16]byte]bool) footprint {
	var sumHi, sumLo, xorHi, xorLo uint64
	for d := range digests {
		hi, lo := binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])
		var carry uint64
		sumLo, carry = bits.Add64(sumLo, lo, 0)
		sumHi, _ = bits.Add64(sumHi, hi, carry)
		xorHi, xorLo = xorHi^hi, xorLo^lo
	}
	return footprint{int64(len(digests)), fmt.Sprintf("%016x%016x", sumHi, sumLo), fmt.Sprintf("%016x%016x", xorHi, xorLo)}
}

// export is a file of IDFAs with dirt in it, and what must come of it.
type export struct {
	path    string
	tally   usher.Tally
	digests map[[16]byte]bool
	raw     []string // some of its ids, as canaries
}

// newExport writes n rows of plain text: every 50th is a zero id, every 70th a
// placeholder, every 90th no id at all, every 110th a repeat of the one before.
func newExport(t testing.TB, dir string, n int, seed uint64) export {
	t.Helper()
	e := export{path: filepath.Join(dir, fmt.Sprintf("export-%d.txt", seed)), digests: map[[16]byte]bool{},
		tally: usher.Tally{Junk: usher.Counts{}, Invalid: usher.Counts{}}}
	f, err := os.Create(e.path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	random := rand.New(rand.NewPCG(seed, 1))
	last := ""
	for i := range n {
		e.tally.Read++
		switch {
		case i%50 == 49:
			e.tally.Junk[usher.ZeroID]++
			fmt.Fprintln(w, "00000000-0000-0000-0000-000000000000")
			continue
		case i%70 == 69:
			e.tally.Junk[usher.Placeholder]++
			fmt.Fprintln(w, "null")
			continue
		case i%90 == 89:
			e.tally.Invalid[usher.Shape]++
			fmt.Fprintln(w, "somebody@example.org")
			continue
		case i%110 == 109:
			e.tally.Duplicate++
			fmt.Fprintln(w, strings.ToLower(last))
			continue
		}
		a, b := random.Uint64(), random.Uint64()
		last = fmt.Sprintf("%08X-%04X-4%03X-A%03X-%012X", a>>32, a>>16&0xFFFF, a&0xFFF, b>>48&0xFFF, b&0xFFFFFFFFFFFF)
		e.digests[md5.Sum([]byte(last))] = true
		e.tally.Accepted++
		if i%1000 == 0 {
			e.raw = append(e.raw, last)
		}
		fmt.Fprintln(w, last)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return e
}

// shownIn reports whether a text has one of the export's ids, in whatever case.
func (e *export) shownIn(text string) bool {
	return slices.ContainsFunc(e.raw, func(id string) bool { return strings.Contains(strings.ToUpper(text), id) })
}

// control calls the sandbox's own controls.
func (p *plant) control(method, path string, body, answer any) {
	p.t.Helper()
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			p.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.server.URL+"/sandbox/"+path, in)
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		p.t.Fatalf("%s %s answers %s %s %v", method, path, response.Status, data, err)
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(data, answer); err != nil {
		p.t.Fatal(err)
	}
}

// asked is an entry of the sandbox's journal.
type asked struct {
	Seq    int64             `json:"seq"`
	At     time.Time         `json:"at"`
	Op     string            `json:"op"`
	Path   string            `json:"path"`
	Status int               `json:"status"`
	Fault  string            `json:"fault"`
	Form   map[string]string `json:"form"`
}

// journal is what the platform was asked, of one operation or of all ("").
func (p *plant) journal(op string) []asked {
	p.t.Helper()
	var all, found []asked
	p.control("GET", "journal", nil, &all)
	for _, a := range all {
		if op == "" || a.Op == op {
			found = append(found, a)
		}
	}
	return found
}

func (p *plant) members(of string) (f footprint) {
	p.t.Helper()
	p.control("GET", of+"/fingerprint", nil, &f)
	return f
}

// exact holds a finished upload to its export: state, tally, members.
func (p *plant) exact(r usher.Record, e export, of string) {
	p.t.Helper()
	if r.State != usher.Done {
		p.t.Fatalf("job %s ended %s: %+v", r.ID, r.State, r.Error)
	}
	if got, want := asJSON(r.Tally), asJSON(e.tally); got != want {
		p.t.Errorf("the tally is %s, not %s", got, want)
	}
	if got, want := p.members(of), fingerprintOf(e.digests); got != want {
		p.t.Errorf("members are %+v, not %+v", got, want)
	}
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// said is a record without its samples, for a test that failed.
func said(r usher.Record) string {
	r.Samples = nil
	return asJSON(r)
}
