package pipeline

import (
	"context"
	"time"
)

// saver keeps checkpoints beside the sending.
type saver struct {
	done chan struct{} // closed by stop
	gone chan struct{} // closed when it runs no more
}

// startSaver starts the saver. An error of Save ends the upload.
func startSaver(ctx context.Context, cancel context.CancelCauseFunc, f *flight, o *Options) *saver {
	s := &saver{done: make(chan struct{}), gone: make(chan struct{})}
	if o.Save == nil {
		close(s.gone)
		return s
	}
	go func() {
		defer close(s.gone)
		if err := s.run(ctx, f, o); err != nil {
			cancel(err)
		}
	}()
	return s
}

func (s *saver) run(ctx context.Context, f *flight, o *Options) error {
	saved, began := o.Resume.Rows, time.Now()
	for {
		select {
		case <-f.changed:
		case <-s.done:
			return nil
		case <-ctx.Done():
			return nil
		}
		if !s.sleep(ctx, o.SaveEvery-time.Since(began)) {
			return nil
		}
		c := f.snapshot()
		if c.Rows <= saved { // what changed stood in the one saved before already
			continue
		}
		saved, began = c.Rows, time.Now()
		if err := o.Save(ctx, c); err != nil {
			return err
		}
	}
}

// sleep is false where the upload ends before.
func (s *saver) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
	case <-ctx.Done():
	}
	return false
}

// stop returns when no Save runs and none will.
func (s *saver) stop() {
	close(s.done)
	<-s.gone
}
