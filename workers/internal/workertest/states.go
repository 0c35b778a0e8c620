package workertest

import (
	"context"
	"log/slog"
)

// ObserveStates returns a logger that calls enter whenever the campaign protocol
// enters a state, which it logs at level debug.
func ObserveStates(logger *slog.Logger, enter func(state string)) *slog.Logger {
	return slog.New(stateObserver{logger.Handler(), enter})
}

type stateObserver struct {
	slog.Handler
	enter func(state string)
}

func (o stateObserver) Enabled(context.Context, slog.Level) bool { return true }

func (o stateObserver) Handle(ctx context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "state" {
			o.enter(a.Value.String())
		}
		return true
	})
	return o.Handler.Handle(ctx, r)
}

func (o stateObserver) WithAttrs(attrs []slog.Attr) slog.Handler {
	return stateObserver{o.Handler.WithAttrs(attrs), o.enter}
}

func (o stateObserver) WithGroup(name string) slog.Handler {
	return stateObserver{o.Handler.WithGroup(name), o.enter}
}
