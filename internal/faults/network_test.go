package faults_test

import "errors"

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
