package main_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"usher"
)

// memoryLimit is the memory of the container that the tests of hostile files assume.
const memoryLimit = 256 << 20

// hostileFooters are Parquet files whose footers of 16 MiB have as many empty structs as
// bytes.
func hostileFooters(t *testing.T) [][]byte {
	t.Helper()
	const size = 16<<20 - 1000
	var schema bytes.Buffer
	schema.Write([]byte{2<<4 | 9, 2<<4 | 12}) // field 2, a list of two structs
	for _, e := range []format.SchemaElement{{Name: "schema", NumChildren: thrift.New(int32(1))}, {Name: "idfa", Type: thrift.New(format.ByteArray), RepetitionType: thrift.New(format.Required)}} {
		if err := thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&schema)).Encode(&e); err != nil {
			t.Fatal(err)
		}
	}
	schema.Write([]byte{1<<4 | 6, 0}) // field 3, no rows
	empty := func(begin []byte, field byte) []byte {
		footer := binary.AppendUvarint(append(slices.Clone(begin), field<<4|9, 0xFC), size)
		footer = append(footer, make([]byte, size+1)...)
		return append(binary.LittleEndian.AppendUint32(append([]byte("PAR1"), footer...), uint32(len(footer))), "PAR1"...)
	}
	return [][]byte{empty(nil, 2), empty(schema.Bytes(), 1)} // elements of the schema, and row groups, field 4 after 3
}

// newConfinement makes a memory cgroup with memoryLimit, in which a process is killed above
// the limit, and returns a function that puts a process into it. The cgroup is removed after
// the processes that start later. If the test may not make one, nothing is confined.
func newConfinement(t *testing.T) func(pid int) error {
	t.Helper()
	group, err := os.MkdirTemp("/sys/fs/cgroup/memory", "usher-test-")
	if err == nil {
		t.Cleanup(func() { _ = os.Remove(group) })
		err = os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), []byte(strconv.Itoa(memoryLimit)), 0)
	}
	if err != nil {
		t.Logf("the worker has no cgroup, only its peak is looked at: %v", err)
		return func(int) error { return nil }
	}
	return func(pid int) error {
		return os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
	}
}

// A worker with 256 MiB refuses 60 Parquet files whose footers would take 1.7 GB each if they
// were decoded, stays alive and runs its next job.
func TestHostileFooters(t *testing.T) {
	t.Parallel()
	program, err := releaseBinary() // the race detector takes several times the memory
	if err != nil {
		t.Fatal(err)
	}
	d := newDeployment(t)
	e := newExport(t, d.exports, 1000, 9)
	files := hostileFooters(t)
	for i, data := range files {
		if err := os.WriteFile(filepath.Join(d.exports, fmt.Sprintf("%d.parquet", i)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		first, path := filepath.Join(d.exports, fmt.Sprintf("%d.parquet", i%len(files))), filepath.Join(d.exports, fmt.Sprintf("hostile-%d.parquet", i))
		if err := os.Link(first, path); err != nil {
			t.Fatal(err)
		}
		d.publish(usher.SegmentAdd, d.addJob(fmt.Sprintf("hostile-%d", i), path))
	}
	confine := newConfinement(t)
	w := startProcess(t, "worker", append([]string{"USHER_WORKER=worker", fmt.Sprintf("GOMEMLIMIT=%d", memoryLimit*9/10)}, d.env...), program, "run")
	if err := confine(w.cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		r := d.ended(fmt.Sprintf("hostile-%d", i))
		d.wantFailed(r, usher.SourceBroken)
		if r.Crashes != 0 || r.Attempts > 1 {
			t.Errorf("job %s had %d crashes and %d attempts", r.ID, r.Crashes, r.Attempts)
		}
	}
	d.publish(usher.SegmentAdd, d.addJob("after", e.path))
	if r := d.ended("after"); r.State != usher.Done {
		t.Errorf("the next job ended %s: %+v", r.State, r.Error)
	}
	eventually(t, "the worker's memory is back to normal", func() bool { return procStatusKB(w.cmd.Process.Pid, "RssAnon")<<10 < memoryLimit/2 })
	peak := procStatusKB(w.cmd.Process.Pid, "VmHWM") << 10
	t.Logf("the worker's peak is %d MiB", peak>>20)
	if peak == 0 || peak > memoryLimit {
		t.Errorf("the worker's peak is %d MiB, with a limit of %d MiB", peak>>20, memoryLimit>>20)
	}
}
