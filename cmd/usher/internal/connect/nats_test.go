package connect_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/queues/store"
)

// TestPasswordChanges tests that a connection follows a change of the password, even after
// the server has refused the old one many times.
func TestPasswordChanges(t *testing.T) {
	t.Parallel()
	for name, logins := range map[string][2]*url.Userinfo{
		"password": {url.UserPassword("worker", "old"), url.UserPassword("worker", "n:e@w")},
		"token":    {url.User("old"), url.User("new")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := &natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true}
			setLogin(options, logins[0])
			server := startServer(t, options)
			path := filepath.Join(t.TempDir(), "url")
			write := func(login *url.Userinfo) {
				text := "nats://" + login.String() + "@" + server.Addr().String()
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(logins[0])
			c, err := config.Load(&cobra.Command{}, func(name string) (string, bool) {
				return path, name == "USHER_NATS_URL_FILE"
			})
			if err != nil {
				t.Fatal(err)
			}
			refusals := make(chan struct{}, 100)
			nc, err := connect.DialNATS(c, slog.New(refusalHandler{slog.DiscardHandler, refusals}))
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()

			changed := options.Clone()
			changed.Port = natsserver.RANDOM_PORT
			setLogin(changed, logins[1])
			if err := server.ReloadOptions(changed); err != nil {
				t.Fatal(err)
			}
			for range 4 { // nats.go closes a connection after the second equal refusal
				<-refusals
			}
			for !errors.Is(store.Disconnected(nc), store.ErrLogin) { // while an attempt runs, it may be another error
				time.Sleep(time.Millisecond)
			}
			write(logins[1])
			for nc.FlushTimeout(time.Minute) != nil {
				if nc.IsClosed() {
					t.Fatal("the connection is closed for good")
				}
			}
		})
	}
}

// TestUntilClosed tests that the contexts end once the server has closed the connection for
// good, in this test because a subject is longer than the server allows.
func TestUntilClosed(t *testing.T) {
	t.Parallel()
	server := startServer(t, &natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true})
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Set("nats.url", server.ClientURL()); err != nil {
		t.Fatal(err)
	}
	nc, err := connect.DialNATS(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	fetch, work, lost := connect.UntilClosed(t.Context(), t.Context(), nc)
	if err := nc.Flush(); err != nil || fetch.Err() != nil || work.Err() != nil || lost() != nil {
		t.Fatalf("ended before the connection: %v, %v", err, lost())
	}
	nc.Close()
	<-fetch.Done()
	<-work.Done()
	if err := lost(); err == nil || !strings.Contains(err.Error(), "closed for good") {
		t.Errorf("lost returned %v", err)
	}
}

// A request that NATS refuses by closing the connection is survived by another connection, which has
// the server's present limits.
func TestRefusalIsSurvived(t *testing.T) {
	t.Parallel()
	for what, refused := range map[string]struct {
		subject string
		size    int
	}{"control line": {strings.Repeat("a", 10_000), 0}, "payload": {"a", 2000}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			options := &natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true}
			server := startServer(t, options)
			c, err := config.Defaults()
			if err == nil {
				err = c.Set("nats.url", server.ClientURL())
			}
			if err != nil {
				t.Fatal(err)
			}
			nc, err := connect.DialNATS(c, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			lowered := options.Clone()
			lowered.MaxPayload = 1000
			if err := server.ReloadOptions(lowered); err != nil {
				t.Fatal(err)
			}
			connected := nc.StatusChanged(nats.CONNECTED)
			if err := nc.Publish(refused.subject, make([]byte, refused.size)); err != nil {
				t.Fatal(err)
			}
			<-connected
			if err := nc.Flush(); err != nil || nc.MaxPayload() != 1000 {
				t.Errorf("after the refusal, max_payload is %d: %v", nc.MaxPayload(), err)
			}
		})
	}
}

// A worker waits for NATS while a proxy in front of NATS closes each connection.
func TestAwaitNATSBehindProxy(t *testing.T) {
	t.Parallel()
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for _, end := range []func(net.Conn){
			func(c net.Conn) { _ = c.Close() },
			func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() }, // a reset
		} {
			if c, err := proxy.Accept(); err == nil {
				end(c)
			}
		}
		port := proxy.Addr().(*net.TCPAddr).Port
		_ = proxy.Close()
		startServer(t, &natsserver.Options{Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true})
	}()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Set("nats.url", "nats://"+proxy.Addr().String()); err != nil {
		t.Fatal(err)
	}
	nc, err := connect.AwaitNATS(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
}

// refusalHandler sends on refusals for each log line about a refused login.
type refusalHandler struct {
	slog.Handler
	refusals chan<- struct{}
}

func (refusalHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h refusalHandler) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if err, ok := a.Value.Any().(error); ok && errors.Is(err, nats.ErrAuthorization) {
			h.refusals <- struct{}{}
		}
		return true
	})
	return nil
}

// A command with a publisher's login says which permission it lacks, and does not wait.
func TestRefusedRequestIsNamed(t *testing.T) {
	t.Parallel()
	o := &natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true}
	o.Users = []*natsserver.User{{Username: "crm", Password: "secret", Permissions: &natsserver.Permissions{Publish: &natsserver.SubjectPermission{Allow: []string{"usher.jobs.>"}}}}}
	nc, err := nats.Connect(startServer(t, o).ClientURL(), nats.UserInfoHandler(func() (string, string) { return "crm", "secret" }))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	err = connect.UnlessRefused(t.Context(), nc, slog.New(slog.DiscardHandler), func(ctx context.Context) error {
		if err := nc.Publish("$JS.API.INFO", nil); err != nil {
			return err
		}
		<-ctx.Done() // no response comes
		return ctx.Err()
	})
	if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), "user crm") || !strings.Contains(err.Error(), `"$JS.API.INFO"`) {
		t.Error(err)
	}
}

func startServer(t *testing.T, options *natsserver.Options) *natsserver.Server {
	t.Helper()
	server, err := natsserver.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	if !server.ReadyForConnections(time.Minute) {
		t.Fatal("NATS is not ready")
	}
	return server
}

func setLogin(o *natsserver.Options, login *url.Userinfo) {
	if password, isUser := login.Password(); isUser {
		o.Username, o.Password = login.Username(), password
		return
	}
	o.Authorization = login.Username()
}
