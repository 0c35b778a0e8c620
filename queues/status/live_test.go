package status

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"usher"
	"usher/queues/store"
)

// Very many jobs need little memory, and only the newest ones are kept.
func TestLiveMemory(t *testing.T) {
	const jobs, most = 200_000, 1000
	l := (&Reader{}).NewLive(most)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, start := heap(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range jobs {
		at := start.Add(time.Duration(i) * time.Second)
		k := &keptJob{entry: &store.Entry{Value: make([]byte, 100)}}
		k.summary.Run, k.summary.State = 1, usher.Done
		k.summary.Record.ID, k.summary.Record.Submitted, k.summary.Record.Finished = fmt.Sprint(i), at, &at
		l.put(k)
	}
	if used := heap() - before; used > 50*jobs {
		t.Errorf("%d jobs need %d bytes each", jobs, used/jobs)
	}
	if n := l.counts.states.numbers()[usher.Done]; n != jobs || len(l.kept) > 5*most/2 {
		t.Errorf("%d jobs are counted, and %d kept", n, len(l.kept))
	}
	if first := l.newestFirst()[0].summary.Record.ID; first != fmt.Sprint(jobs-1) {
		t.Errorf("the newest job is %s", first)
	}
	runtime.KeepAlive(l)
}
