package main_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"usher"
)

// Three workers share the parts of two mirrors with the same holdout. Both segments have exactly the
// ids whose HMAC does not fall into the share, as computed here, and the held-out ids are the others.
func TestHoldoutOnThreeWorkers(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_LEDGER_URL="+t.TempDir(), "USHER_SOURCES_PART_BYTES=65536")
	for _, name := range []string{"one", "two", "three"} {
		d.worker(name)
	}
	const limit = 1 << 63 / 5               // 10 % of the numbers of 8 bytes
	e := newExport(t, d.exports, 20_000, 1) // 12 parts
	for _, segment := range []string{"1", "4"} {
		d.publish(usher.SegmentMirror, d.addJob("mirror-"+segment, e.path, job{"segment": segment, "holdout": job{"percent": 10, "key": "autumn"}}))
		r := d.ended("mirror-" + segment)
		kept, held := map[[16]byte]bool{}, map[string]bool{}
		for digest := range e.digests {
			text := hex.EncodeToString(digest[:])
			mac := hmac.New(sha256.New, []byte("autumn"))
			mac.Write([]byte(text))
			if binary.BigEndian.Uint64(mac.Sum(nil)) < limit {
				held[text] = true
			} else {
				kept[digest] = true
			}
		}
		if r.State != usher.Done || d.members("segments/"+segment) != fingerprintOf(kept) || r.Tally.Withheld["holdout:autumn"] != int64(len(held)) {
			t.Errorf("segment %s has %+v, want %+v, with %d held out: %s", segment, d.members("segments/"+segment), fingerprintOf(kept), len(held), recordText(r))
		}
		out, code := d.usher("ledger", "export", "segment/"+segment, "--holdout")
		for line := range strings.Lines(out) {
			if !held[strings.TrimSpace(line)] {
				t.Errorf("segment %s: %s is exported as held out", segment, line)
			}
			delete(held, strings.TrimSpace(line))
		}
		if code != 0 || len(held) > 0 {
			t.Errorf("segment %s: the export of the holdout exited with %d and lacks %d digests", segment, code, len(held))
		}
	}
}
