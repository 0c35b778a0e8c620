package presence

import "context"

// Join makes the process a worker that beats only when Beat is called.
func (p *Presence) Join(tasks ...Task) { p.join(tasks) }

// Beat beats once.
func (p *Presence) Beat(ctx context.Context) error { return p.beat(ctx) }

// Leave is what Run does when its context has ended.
func (p *Presence) Leave(ctx context.Context) { p.leave(ctx) }
