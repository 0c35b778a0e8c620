package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/datafolder"
	"usher/internal/sandbox"
)

// sandboxServer has the flags of usher sandbox.
type sandboxServer struct {
	listen        string
	allowRemote   bool
	approvalDelay time.Duration
	options       sandbox.Options
}

// Command returns usher sandbox.
func Command() *cobra.Command {
	s := sandboxServer{options: sandbox.Options{TargetPost: "add", Members: "exact"}}
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the platform's sandbox",
		Long: `Serve an implementation of the platform's interface for development and tests, with
state and with tokens and locks that expire. The journal of requests and the control of
faults are below /sandbox/. They need no login, so the sandbox listens only on
loopback unless --allow-remote is given.

The sandbox has one login, linked to the advertiser SANDBOX1, four segments and nine
campaigns. With --data its state survives restarts and kill -9. GET / lists the
operations for people, GET /openapi.yaml for tools; 'usher api' calls them.`,
		Example: `  usher sandbox
  usher sandbox --listen 127.0.0.1:0 --data ./sandbox-data --latency 50ms
  curl http://127.0.0.1:8480/sandbox/`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(); err != nil {
				return err
			}
			s.options.Logger = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return s.serve(ctx, func(url string) {
				fmt.Fprintf(cmd.OutOrStdout(), "The sandbox runs at %s: open this address in a browser to see its operations. Its journal and faults are at %s/sandbox/.\nLog in as user %q of advertiser SANDBOX1: usher run --platform %s --username %s\nPress Ctrl-C to stop it.\n",
					url, url, s.options.Username, url, s.options.Username)
			})
		},
	}
	flags, o := cmd.Flags(), &s.options
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8480", "address; port 0 picks a free port")
	flags.BoolVar(&s.allowRemote, "allow-remote", false, "allow an address that other machines can reach")
	flags.StringVar(&o.Data, "data", "", "folder for state and journal (default: memory only)")
	flags.StringVar(&o.Username, "username", "sandbox", "the API user")
	flags.StringVar(&o.Password, "password", "sandbox", "the API user's password")
	flags.DurationVar(&o.LockTTL, "lock-ttl", 5*time.Minute, "time after which a campaign's lock expires")
	flags.DurationVar(&o.TokenTTL, "token-ttl", time.Hour, "time after which an access token expires")
	flags.DurationVar(&s.approvalDelay, "approval-delay", time.Second, "time after which a PENDING creative is approved; 0: immediately")
	flags.DurationVar(&o.Latency, "latency", 0, "delay before each response")
	command.ChoiceVar(cmd, &o.Members, "members", "what to store of uploaded ids; fingerprint stores only count, sum and xor, for benchmarks", "exact", "fingerprint")
	command.ChoiceVar(cmd, &o.TargetPost, "target-post", "effect of a second upload of mobileIds", "add", "replace")
	return cmd
}

// check validates the flags and completes the options.
func (s *sandboxServer) check() error {
	host, _, err := config.SplitAddress(s.listen)
	if err != nil {
		return command.Usagef("flag --listen: %w", err)
	}
	if ip := net.ParseIP(host); !s.allowRemote && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return command.Usagef("flag --listen: other machines can reach %s, and /sandbox/ needs no login: use a loopback address such as 127.0.0.1:8480, or add --allow-remote", s.listen)
	}
	for name, d := range map[string]time.Duration{"lock-ttl": s.options.LockTTL, "token-ttl": s.options.TokenTTL} {
		if d <= 0 {
			return command.Usagef("flag --%s takes a duration above 0, such as 5m", name)
		}
	}
	for name, d := range map[string]time.Duration{"approval-delay": s.approvalDelay, "latency": s.options.Latency} {
		if d < 0 {
			return command.Usagef("flag --%s takes a duration of 0 or more, such as 100ms", name)
		}
	}
	s.options.ApprovalDelay = s.approvalDelay
	if s.approvalDelay == 0 {
		s.options.ApprovalDelay = -1 // none; zero would select the default
	}
	return nil
}

// serve serves until ctx ends. It calls up with the URL once it listens.
func (s *sandboxServer) serve(ctx context.Context, up func(url string)) error {
	if s.options.Data != "" {
		if err := os.MkdirAll(s.options.Data, 0o700); err != nil {
			return fmt.Errorf("create data folder (--data): %w", err)
		}
		unlock, err := datafolder.Lock(s.options.Data)
		if err != nil {
			return err
		}
		defer unlock()
	}
	box, err := sandbox.Open(s.options)
	if err != nil {
		return err
	}
	listener, err := connect.Listen(ctx, s.listen, "the sandbox (--listen)")
	if err != nil {
		return errors.Join(err, box.Close())
	}
	server := &http.Server{Handler: box, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	var serving sync.WaitGroup
	serving.Go(func() { ended <- server.Serve(listener) })
	up("http://" + listener.Addr().String())
	select {
	case <-ctx.Done():
		err = nil
	case err = <-ended:
		err = fmt.Errorf("serve the sandbox: %w", err)
	}
	err = errors.Join(err, box.Close()) // before the server, because it releases requests that a fault makes hang
	_ = server.Close()
	serving.Wait()
	return err
}
