package feeds

import "context"

// Look looks at a feed once, as Run does when it is due.
func (w *Watcher) Look(ctx context.Context, f *Feed) error {
	w.start()
	return w.look(ctx, f)
}

// Forget removes what s does not remember.
func Forget(s *State) { s.forget() }
