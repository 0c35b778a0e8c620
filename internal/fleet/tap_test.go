package fleet_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// tap is a hook that is called after Redis ran a script of the client. It can replace the
// reply by an error, as if the reply were lost.
type tap struct {
	key string // only scripts whose first key contains this text
	ran func(redis.Cmder) error
}

func (tap) DialHook(next redis.DialHook) redis.DialHook { return next }

func (tap) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook { return next }

func (p tap) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if err := next(ctx, cmd); err != nil {
			return err
		}
		args := cmd.Args()
		if !strings.HasPrefix(cmd.Name(), "eval") || len(args) < 4 {
			return nil
		}
		if key, _ := args[3].(string); !strings.Contains(key, p.key) {
			return nil
		}
		if err := p.ran(cmd); err != nil {
			cmd.SetErr(err)
			return err
		}
		return nil
	}
}

// failures is a hook that records whether Redis left a command unanswered.
type failures struct{ unanswered *atomic.Bool }

func (failures) DialHook(next redis.DialHook) redis.DialHook { return next }

func (failures) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (f failures) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		var timeout net.Error
		if errors.As(err, &timeout) || errors.Is(err, context.DeadlineExceeded) {
			f.unanswered.Store(true)
		}
		return err
	}
}

// whileAnswered calls try, which returns what was wrong. It calls try again if Redis left a
// command unanswered, for example because the machine stalled: a worker then continues
// without Redis. The clients of try must have the hook.
func whileAnswered(t *testing.T, try func(hook failures) (wrong []string)) {
	t.Helper()
	for range 10 {
		var unanswered atomic.Bool
		wrong := try(failures{&unanswered})
		if len(wrong) == 0 {
			return
		}
		if !unanswered.Load() {
			t.Fatal(strings.Join(wrong, "\n"))
		}
	}
	t.Error("Redis did not answer in any of ten tries")
}

// loseReplies makes the client lose its next n replies to scripts on keys that
// contain key.
func loseReplies(rdb redis.UniversalClient, key string, n int32) {
	var lost atomic.Int32
	rdb.AddHook(tap{key, func(redis.Cmder) error {
		if lost.Add(1) <= n {
			return &net.OpError{Op: "read", Net: "tcp", Err: context.DeadlineExceeded}
		}
		return nil
	}})
}
