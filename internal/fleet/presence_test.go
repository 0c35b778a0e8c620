package fleet_test

import (
	"testing"
	"time"

	"usher/internal/fleet"
)

func TestWorkersAreCounted(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		a := join(t, rdb, "one name", 0)
		b := join(t, dial(t, addr), "one name", 0)
		until(t, "two workers", func() bool { return a.Workers() == 2 && b.Workers() == 2 })
		b.Close()
		until(t, "one worker", func() bool { return a.Workers() == 1 })
	})
}

func TestWorkerWithoutHeartbeatsIsGone(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		a := join(t, rdb, "a", 0)
		crashed := fleet.New(dial(t, addr), fleet.Options{Namespace: t.Name(), Heartbeat: time.Hour})
		t.Cleanup(crashed.Close)
		until(t, "two workers, one of which is silent", func() bool { return a.Workers() == 2 && a.OldestHeartbeat() > 0 })
		until(t, "one worker", func() bool { return a.Workers() == 1 })
	})
}

func TestWorkersOfAnotherNamespaceDoNotCount(t *testing.T) {
	t.Parallel()
	rdb := dial(t, sharedAddress(t))
	a := fleet.New(rdb, fleet.Options{Namespace: t.Name() + "1"})
	defer a.Close()
	b := fleet.New(rdb, fleet.Options{Namespace: t.Name() + "2"})
	defer b.Close()
	for _, f := range []*fleet.Fleet{a, b, a} {
		if err := f.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if a.Workers() != 1 || b.Workers() != 1 {
		t.Errorf("%d and %d workers, want 1 and 1", a.Workers(), b.Workers())
	}
}

func TestWorkerCountSurvivesRestartOfRedis(t *testing.T) {
	t.Parallel()
	s := ownServer(t)
	a := fleet.New(dial(t, s.addr), fleet.Options{Heartbeat: time.Minute})
	t.Cleanup(a.Close)
	b := fleet.New(dial(t, s.addr), fleet.Options{Heartbeat: time.Minute})
	until(t, "two workers", func() bool { return a.Beat(t.Context()) == nil && a.Workers() == 2 })
	s.kill()
	if a.Beat(t.Context()) == nil || b.Beat(t.Context()) == nil {
		t.Fatal("a heartbeat succeeded after Redis was killed")
	}
	b.Close()
	restarted, err := startServer(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(restarted.kill)
	until(t, "Redis to be back", func() bool { return a.Beat(t.Context()) == nil })
	if n := a.Workers(); n != 2 {
		t.Errorf("%d workers after the restart, want 2 as before", n)
	}
}

func TestAddressesAreChecked(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "localhost:6379", "http://localhost", "unix://u:s3cret@h/socket", "s3cret://h", "redis://u:s3cret@h:6379/x", "redis://u:s3cret@h:99x",
		// Passwords that are not escaped.
		"redis://u:12/s3cret@h:6379/0", "redis://:12#s3cret@h", "redis://u:12?s3cret@h:6379/0", "redis://u:12?s3cret=@h:6379/0", "redis://u:%s3cret@h",
		"redis://h/s3cret", "redis://h?db=s3cret", "redis://h?read_timeout=s3cret",
		// More than one server.
		"redis+sentinel://h:26379?addr=s3cret", "redis+sentinel://h?addr=i:1", "redis+cluster://h?addr=s3cret", "redis+cluster://h/1", "redis+cluster://h?password=s3cret", "redis+ring://h", "rediss+cluster://h?s3cret",
	} {
		if _, err := fleet.Dial(address, nil, nil); err == nil {
			t.Errorf("%q was accepted", address)
		} else if msg := err.Error(); !contains(msg, "redis://[user:password@]host") || contains(msg, "s3cret") {
			t.Errorf("%q: the error is %q", address, msg)
		}
	}
}
