package faults_test

import (
	"errors"
	"sync"
	"time"
)

// network returns the faults of links.
func network() []kind {
	nats := func(c *cycle) []link { return c.site.cluster.of(c.random.IntN(nodes)) }
	clients := func(c *cycle) []link { return c.site.cluster.clients[:] }
	redis := func(c *cycle) []link { return c.site.cache.links[:] }
	platform := func(c *cycle) []link { return []link{c.site.toBox} }
	slow := func(l link) error { return l.slow(200) }
	closed := func(l link) error { l.Stop(); return nil }
	return []kind{
		{name: "NATS node slow to reach", inject: damaged(nats, slow)},
		{name: "NATS node cut off", inject: damaged(nats, link.blackHole)},
		{name: "NATS node refuses connections", inject: damaged(nats, closed)},
		{name: "workers cut off from NATS", alone: true, inject: damaged(clients, link.blackHole)},
		{name: "Redis slow to reach", inject: damaged(redis, slow)},
		{name: "Redis cut off", inject: damaged(redis, link.blackHole)},
		{name: "Redis resets connections", inject: damaged(redis, link.reset)},
		{name: "platform slow to reach", inject: damaged(platform, slow)},
		{name: "platform cut off", inject: damaged(platform, link.blackHole)},
		{name: "platform resets connections", inject: damaged(platform, link.reset)},
		{name: "platform refuses connections", inject: damaged(platform, closed)},
		{name: "platform flaps", inject: flapping(platform, func(c *cycle) error { return c.site.named("platform", "platform") })},
		{name: "NATS flaps", inject: flapping(clients, nil)},
		{name: "Redis flaps", inject: flapping(redis, nil)},
	}
}

// flapping returns an inject function that closes links for two thirds of the time.
func flapping(links func(*cycle) []link, during func(*cycle) error) func(*cycle) (fault, error) {
	return func(c *cycle) (fault, error) {
		f, err := damaged(links, func(l link) error { l.Stop(); return nil })(c)
		if err != nil {
			return f, err
		}
		stop := make(chan struct{})
		var flap sync.WaitGroup
		flap.Go(func() {
			beat := time.NewTicker(time.Second)
			defer beat.Stop()
			for n := 1; ; n++ {
				select {
				case <-stop:
					return
				case <-beat.C:
				}
				for _, l := range links(c) {
					switch n % 3 {
					case 2:
						l.mend()
					case 0:
						l.Stop()
					}
				}
			}
		})
		mend := f.heal
		f.heal = func() error {
			close(stop)
			flap.Wait()
			return mend()
		}
		if during != nil {
			f.during = func() error { return during(c) }
		}
		f.hold = 12 * time.Second
		return f, nil
	}
}

// damaged returns an inject function that damages links.
func damaged(links func(*cycle) []link, damage func(link) error) func(*cycle) (fault, error) {
	return func(c *cycle) (fault, error) {
		chosen := links(c)
		mend := func() error {
			for _, l := range chosen {
				l.mend()
			}
			return nil
		}
		for _, l := range chosen {
			if !l.Enabled || len(l.Toxics.GetToxicArray()) > 0 {
				return fault{}, errMissed("another fault has damaged the link")
			}
		}
		for _, l := range chosen {
			if err := damage(l); err != nil {
				return fault{}, errors.Join(err, mend())
			}
		}
		return fault{missed: hit, heal: mend}, nil
	}
}
