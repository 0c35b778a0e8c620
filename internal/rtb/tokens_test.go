package rtb_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"usher/internal/rtb"
)

func TestTokensLogInOnceForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		logins := 0
		tokens := rtb.NewTokens(func(context.Context) (string, error) {
			logins++
			time.Sleep(time.Second) // virtual time, in which all others wait
			return fmt.Sprintf("token%d", logins), nil
		})
		all := func(get func() (string, error), want string) {
			var group sync.WaitGroup
			for range 64 {
				group.Go(func() {
					if token, err := get(); token != want || err != nil {
						t.Errorf("got %s, want %s: %v", token, want, err)
					}
				})
			}
			group.Wait()
		}
		all(func() (string, error) { return tokens.Token(t.Context()) }, "token1")
		all(func() (string, error) { return tokens.Renew(t.Context(), "token1") }, "token2")
		all(func() (string, error) { return tokens.Renew(t.Context(), "token1") }, "token2")
		if logins != 2 {
			t.Errorf("%d logins, want 2", logins)
		}
	})
}

func TestFailedLoginFailsAllWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		logins := 0
		wrong := errors.New("wrong password")
		tokens := rtb.NewTokens(func(context.Context) (string, error) {
			logins++
			time.Sleep(time.Second)
			return "", wrong
		})
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() {
				if _, err := tokens.Token(t.Context()); !errors.Is(err, wrong) {
					t.Errorf("got %v", err)
				}
			})
		}
		group.Wait()
		if logins != 1 {
			t.Errorf("%d logins, want 1", logins)
		}
	})
}

func TestCancelledLoginIsRepeatedByOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tokens := rtb.NewTokens(func(ctx context.Context) (string, error) {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(10 * time.Second):
				return "token", nil
			}
		})
		first, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := tokens.Token(first); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the first got %v", err)
			}
		})
		synctest.Wait()
		group.Go(func() {
			if token, err := tokens.Token(t.Context()); token != "token" || err != nil {
				t.Errorf("the second got %q: %v", token, err)
			}
		})
		group.Go(func() {
			short, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("shut down"))
			defer cancel()
			if _, err := tokens.Token(short); err == nil || err.Error() != "shut down" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the third got %v", err)
			}
		})
		group.Wait()
	})
}
