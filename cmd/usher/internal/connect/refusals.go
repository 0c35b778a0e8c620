package connect

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"usher/queues/store"
)

// UnlessRefused calls request, which waits for responses of NATS. NATS reports a missing
// permission through the connection's error handler, not in a response: then UnlessRefused
// ends the request's context, and returns an error that names the permission, the user, and the
// users of deploy/nats.conf that have it. It logs other errors of the connection meanwhile.
func UnlessRefused(ctx context.Context, nc *nats.Conn, logger *slog.Logger, request func(context.Context) error) error {
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	defer nc.SetErrorHandler(nc.ErrorHandler())
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			refuse(err)
			return
		}
		logger.Warn("NATS", "error", err)
	})
	err := request(ctx)
	refused := context.Cause(ctx)
	if err == nil || !errors.Is(refused, nats.ErrPermissionViolation) {
		return err
	}
	who := "this login"
	if nc.Opts.UserInfo != nil {
		if user, _ := nc.Opts.UserInfo(); user != "" {
			who = "user " + user
		}
	}
	if users := holders(refused); users != "" {
		return fmt.Errorf("NATS refuses %s: %w, a permission of %s in deploy/nats.conf", who, refused, users)
	}
	return fmt.Errorf("NATS refuses %s: %w", who, refused)
}

// mayTakeJobs waits until ctx ends if this login may not take jobs, which only workers may. It
// publishes an empty request for messages of a consumer that does not exist.
func mayTakeJobs(ctx context.Context, nc *nats.Conn, namespace string) error {
	request := "$JS.API.CONSUMER.MSG.NEXT." + store.Names{Namespace: namespace}.JobsStream() + ".none"
	if err := nc.Publish(request, nil); err != nil {
		return fmt.Errorf("ask whether this login may take jobs: %w", err)
	}
	flush, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := nc.FlushWithContext(flush); err != nil && ctx.Err() == nil {
		return fmt.Errorf("ask whether this login may take jobs: %w", err)
	}
	// The last error may be an older one, of another request.
	if last := nc.LastError(); errors.Is(last, nats.ErrPermissionViolation) && strings.Contains(last.Error(), request) {
		<-ctx.Done() // UnlessRefused learns of the refusal at the same time
		return context.Cause(ctx)
	}
	return nil
}

// refusalInterval is the time between two log lines about the same missing permission.
const refusalInterval = time.Minute

// logErrors returns an error handler that logs the errors of a connection. A worker asks again
// and again, so a missing permission is logged once a minute.
func logErrors(logger *slog.Logger) nats.ErrHandler {
	var mu sync.Mutex
	logged := map[string]time.Time{}
	return func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if !errors.Is(err, nats.ErrPermissionViolation) {
			logger.Warn("NATS", "error", err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if at, again := logged[err.Error()]; again && time.Since(at) < refusalInterval {
			return
		}
		if len(logged) > 100 { // subjects may have ids
			clear(logged)
		}
		logged[err.Error()] = time.Now()
		logger.Warn("NATS refuses this login a permission: see deploy/nats.conf", "error", err, "usersWithIt", holders(err))
	}
}
