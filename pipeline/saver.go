package pipeline

import (
	"context"
	"time"
)

// saver saves checkpoints while batches are sent.
type saver struct {
	done  chan struct{} // closed by stop
	ended chan struct{} // closed when the goroutine has ended
}

// startSaver starts a saver. An error of Save ends the upload.
func startSaver(ctx context.Context, cancel context.CancelCauseFunc, f *flight, o *Options) *saver {
	s := &saver{done: make(chan struct{}), ended: make(chan struct{})}
	if o.Save == nil {
		close(s.ended)
		return s
	}
	go func() {
		defer close(s.ended)
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
		if !sleep(ctx, s.done, o.SaveEvery-time.Since(began)) {
			return nil
		}
		c := f.snapshot()
		if c.Rows <= saved { // the saved checkpoint already has these rows
			continue
		}
		saved, began = c.Rows, time.Now()
		if err := o.Save(ctx, c); err != nil {
			return err
		}
	}
}

// stop stops the saver and waits until no Save runs.
func (s *saver) stop() {
	close(s.done)
	<-s.ended
}
