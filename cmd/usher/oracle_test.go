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

// The oracles are independent of the code under test: the expected members of an
// export are computed with crypto/md5 and a map, and the members on the platform are
// read from its journal and fingerprints.

// footprint is the count, the 128-bit sum and the XOR of distinct digests.
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

// export is a file of valid and invalid IDFAs, with the expected result.
type export struct {
	path    string
	tally   usher.Tally
	digests map[[16]byte]bool
	raw     []string // some of its ids, to detect leaks
}

// newExport writes n rows of plain text. Every 50th row is a zero id, every 70th a
// placeholder, every 90th not an id, every 110th a repetition of the previous id.
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

// appearsIn reports whether text contains one of the export's ids, ignoring case.
func (e *export) appearsIn(text string) bool {
	return slices.ContainsFunc(e.raw, func(id string) bool { return strings.Contains(strings.ToUpper(text), id) })
}

// control calls the control API of the sandbox.
func (d *deployment) control(method, path string, body, result any) {
	d.t.Helper()
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			d.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(d.t.Context(), method, d.server.URL+"/sandbox/"+path, in)
	if err != nil {
		d.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		d.t.Fatalf("%s %s: %s %s %v", method, path, response.Status, data, err)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(data, result); err != nil {
		d.t.Fatal(err)
	}
}

// journalEntry is a request in the sandbox's journal.
type journalEntry struct {
	Seq    int64             `json:"seq"`
	At     time.Time         `json:"at"`
	Op     string            `json:"op"`
	Path   string            `json:"path"`
	Status int               `json:"status"`
	Fault  string            `json:"fault"`
	Form   map[string]string `json:"form"`
}

// journal returns the requests that the platform received for op, or all requests if
// op is empty.
func (d *deployment) journal(op string) []journalEntry {
	d.t.Helper()
	var all, found []journalEntry
	d.control("GET", "journal", nil, &all)
	for _, e := range all {
		if op == "" || e.Op == op {
			found = append(found, e)
		}
	}
	return found
}

func (d *deployment) members(of string) (f footprint) {
	d.t.Helper()
	d.control("GET", of+"/fingerprint", nil, &f)
	return f
}

// wantExact checks that an upload is done with the tally and members of its export.
func (d *deployment) wantExact(r usher.Record, e export, of string) {
	d.t.Helper()
	if r.State != usher.Done {
		d.t.Fatalf("job %s ended %s: %+v", r.ID, r.State, r.Error)
	}
	if got, want := asJSON(r.Tally), asJSON(e.tally); got != want {
		d.t.Errorf("the tally is %s, want %s", got, want)
	}
	if got, want := d.members(of), fingerprintOf(e.digests); got != want {
		d.t.Errorf("members are %+v, want %+v", got, want)
	}
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// recordText formats a record without its samples, for failure messages.
func recordText(r usher.Record) string {
	r.Samples = nil
	return asJSON(r)
}
