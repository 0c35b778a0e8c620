package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
)

// changedFeeds has a feed that looks often.
const changedFeeds = `feeds:
  - {name: crm, watch: DIR/*.csv, every: 1s, settle: 1s, job: {kind: segment.mirror, segment: "4", profile: idfa}}
`

// writeShop writes an export of a shop's customers: their ids in a column, and their countries.
func writeShop(t *testing.T, path, column string, customers int) {
	t.Helper()
	var text bytes.Buffer
	fmt.Fprintf(&text, "n,%s,country\n", column)
	for i := range customers {
		fmt.Fprintf(&text, "%d,0B5D7B31-2F60-4C1B-9A54-%012X,DE\n", i, i)
	}
	writeFile(t, path+".part", text.String())
	if err := os.Rename(path+".part", path); err != nil {
		t.Fatal(err)
	}
}

// remembered is what usher ledger show and usher feeds show say of the last good export.
type remembered struct {
	Generation int64         `json:"generation"`
	Job        string        `json:"job"`
	Memory     *usher.Memory `json:"memory"`
	Held       []struct {
		Version string `json:"version"`
		Reason  string `json:"reason"`
	} `json:"heldExports"`
}

// A feed holds an export that is not read as the last good one was, until a person approves it. A
// mirror without a feed ends as changed. Each export has several parts. Whatever kills the workers, the ledger remembers the export
// of its generation.
func TestChangedExports(t *testing.T) {
	t.Parallel()
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "feeds.yaml")
	writeFile(t, file, strings.ReplaceAll(changedFeeds, "DIR", folder))
	d := newDeployment(t, "USHER_FEEDS_FILES="+file, "USHER_LEDGER_URL="+t.TempDir(), "USHER_SOURCES_PART_BYTES=65536")
	d.env = append(d.env, "USHER_SOURCES_ALLOW="+folder+","+d.exports)
	workers := []*process{d.worker("a"), d.worker("b")}
	feed := func() (r remembered) { d.usherJSON(&r, "feeds", "show", "crm"); return r }
	target := func() (r remembered) { d.usherJSON(&r, "ledger", "show", "segment/4"); return r }
	is := func(r remembered, column string) bool {
		return r.Memory != nil && r.Memory.Understood.Column.Name == column
	}

	writeShop(t, filepath.Join(folder, "1.csv"), "idfa", 3000)
	eventually(t, "the feed remembers the first export", func() bool {
		out, code := d.usher("feeds", "show", "crm")
		return code == 0 && strings.Contains(out, `column 2, "idfa"`)
	})
	if r := target(); !is(r, "idfa") || r.Memory.Rows != 3000 || r.Memory.Job != r.Job {
		t.Fatalf("the ledger remembers %+v", r.Memory)
	}
	writeShop(t, filepath.Join(folder, "2.csv"), "ios_idfa", 3000)
	eventually(t, "the second export is held", func() bool { return len(feed().Held) == 1 })
	held := feed().Held[0]
	if !strings.Contains(held.Reason, `column 2 is called "ios_idfa", and in the last export it was called "idfa"`) {
		t.Errorf("held because %s", held.Reason)
	}
	if out, code := d.usher("feeds", "approve", "crm", held.Version); code != 0 {
		t.Fatalf("approve exits with %d: %s", code, out)
	}
	eventually(t, "the ledger remembers the second export", func() bool { return is(target(), "ios_idfa") })
	eventually(t, "the feed remembers it, too", func() bool { r := feed(); return is(r, "ios_idfa") && r.Memory.ApprovedBy != "" })

	path := filepath.Join(d.exports, "third.csv")
	writeShop(t, path, "idfa", 2900)
	if out, code := d.usher("submit", "segment.mirror", "--id", "third", "--segment", "4", "--profile", "idfa", path, "--wait"); code != 3 || !strings.Contains(out, "changed: mirror segment/4") || !strings.Contains(out, "--accept-change") {
		t.Fatalf("the mirror of a changed export exits with %d: %s", code, out)
	}
	before := target()
	d.killAtCommit(workers, "fourth", path)
	if r := target(); (r.Generation == before.Generation) != is(r, "ios_idfa") || (r.Generation > before.Generation) != is(r, "idfa") {
		t.Errorf("after the kill the ledger has generation %d, of %d before, and remembers %+v", r.Generation, before.Generation, r.Memory)
	}
	d.worker("c")
	if r := d.ended("fourth"); r.State != usher.Done {
		t.Fatalf("the mirror ended as %s", recordText(r))
	}
	if r := target(); !is(r, "idfa") || r.Memory.Job != "fourth" || r.Memory.Rows != 2900 {
		t.Errorf("the ledger remembers %+v", r.Memory)
	}
}

// killAtCommit publishes a mirror that accepts a change, and kills all workers when it has sent all
// and begins to write what the target holds.
func (d *deployment) killAtCommit(workers []*process, id, path string) {
	d.t.Helper()
	updates, err := d.nc.SubscribeSync("$KV.usher_state.jobs." + id)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = updates.Unsubscribe() }() // the connection ends with the test
	d.publish(usher.SegmentMirror, job{"id": id, "segment": "4", "profile": "idfa", "source": job{"url": "file://" + path}, "acceptChange": true})
	for {
		m, err := updates.NextMsg(patience)
		if err != nil {
			d.t.Fatalf("job %s does not commit: %v", id, err)
		}
		if bytes.Contains(m.Data, []byte(`"phase":"commit"`)) {
			break
		}
	}
	for _, w := range workers {
		w.kill()
	}
}
