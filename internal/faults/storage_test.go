package faults_test

import (
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// storage returns the faults of disks and of stored values.
func storage() []kind {
	return []kind{
		{name: "disk of a NATS node full", volumes: true, inject: func(c *cycle) (fault, error) { return c.fill(c.random.IntN(nodes)) }},
		{name: "disks of all NATS nodes full", volumes: true, alone: true, inject: func(c *cycle) (fault, error) { return c.fill(0, 1, 2) }},
		{name: "power cut", volumes: true, alone: true, inject: (*cycle).cutPower},
		{name: "stored values damaged", alone: true, inject: (*cycle).damageState},
		{name: "Redis values damaged", inject: (*cycle).damageCache},
	}
}

// fill fills the disks of nodes. After a disk was full, a node must be started again.
func (c *cycle) fill(indices ...int) (fault, error) {
	var full []*volume
	for _, i := range indices {
		v := c.site.cluster.volumes[i]
		if err := v.fill(); err != nil {
			return fault{}, err
		}
		full = append(full, v)
	}
	return fault{hold: 6 * time.Second, missed: func() string {
		for _, v := range full {
			if !v.full() {
				return v.path + " is not full"
			}
		}
		return ""
	}, heal: func() error {
		for n, i := range indices {
			if err := full[n].empty(); err != nil {
				return err
			}
			node := c.site.cluster.nodes[i]
			node.terminate()
			node.start(c.site.t)
		}
		return nil
	}}, nil
}

// cutPower kills everything but the platform, and drops the writes that NATS has not
// synced. Redis does not use a disk and is empty after its restart.
func (c *cycle) cutPower() (fault, error) {
	if _, err := c.busyWorker(); err != nil {
		return fault{}, err
	}
	s := c.site
	all := slices.Concat(s.cluster.nodes[:], s.cache.servers[:], []*program{s.cache.sentinel}, s.workers[:])
	if err := s.cluster.cutPower(all...); err != nil {
		return fault{}, err
	}
	return fault{missed: hit, heal: func() error {
		for _, p := range all {
			p.start(s.t)
		}
		return nil
	}}, nil
}

// garbage are values that usher never writes.
var garbage = []string{"", "{}", "[1]", `{"run":1,"state":"run`, "null", strings.Repeat("x", 100_000)}

// damageState overwrites values of jobs, parts and targets.
func (c *cycle) damageState() (fault, error) {
	js, err := c.observe.nc.JetStream(nats.MaxWait(5 * time.Second))
	if err != nil {
		return fault{}, err
	}
	kv, err := js.KeyValue("usher_state")
	if err != nil {
		return fault{}, err
	}
	keys, err := kv.Keys()
	if err != nil {
		return fault{}, err
	}
	slices.Sort(keys)
	hits := 0
	for _, key := range keys {
		family, rest, _ := strings.Cut(key, ".")
		id, _, _ := strings.Cut(rest, ".")
		j := c.model.byID[id]
		ofJob := (family == "jobs" || family == "parts") && j != nil && slices.Contains(c.wave, j)
		if !ofJob && family != "targets" || c.random.IntN(3) > 0 {
			continue
		}
		if _, err := kv.PutString(key, oneOf(c.random, garbage...)); err != nil {
			return fault{}, err
		}
		if ofJob {
			j.damaged = true
			hits++
		}
	}
	if hits == 0 {
		return fault{}, errMissed("no job has stored values")
	}
	return fault{missed: hit, heal: func() error { return nil }}, nil
}

// damageCache overwrites the values of Redis.
func (c *cycle) damageCache() (fault, error) {
	master, err := c.site.cache.awaitMaster(c.site.t)
	if err != nil {
		return fault{}, errMissed(err.Error())
	}
	rdb := c.site.cache.dial(master)
	defer func() { _ = rdb.Close() }()
	ctx := c.site.t.Context()
	keys, err := rdb.Keys(ctx, "usher:*").Result()
	if err != nil {
		return fault{}, err
	}
	if len(keys) == 0 {
		return fault{}, errMissed("Redis has no values")
	}
	for _, key := range keys {
		if err := rdb.Set(ctx, key, oneOf(c.random, garbage...), 0).Err(); err != nil {
			return fault{}, err
		}
	}
	return fault{missed: hit, heal: func() error { return nil }}, nil
}
