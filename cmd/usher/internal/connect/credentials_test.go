package connect_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// TestCredentialsChange tests that a connection whose credentials have expired continues with
// those that the file has meanwhile, and keeps them when the file is removed.
func TestCredentialsChange(t *testing.T) {
	t.Parallel()
	operator, account := newKey(t, nkeys.CreateOperator), newKey(t, nkeys.CreateAccount)
	claims := jwt.NewOperatorClaims(operator.public)
	encoded, err := jwt.NewAccountClaims(account.public).Encode(operator.KeyPair)
	if err != nil {
		t.Fatal(err)
	}
	resolver := &natsserver.MemAccResolver{}
	if err := resolver.Store(account.public, encoded); err != nil {
		t.Fatal(err)
	}
	server := startServer(t, &natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true,
		TrustedOperators: []*jwt.OperatorClaims{claims}, AccountResolver: resolver,
	})
	path := filepath.Join(t.TempDir(), "creds")
	write := func(expires int64) {
		user := newKey(t, nkeys.CreateUser)
		claims := jwt.NewUserClaims(user.public)
		claims.Expires = expires
		token, err := claims.Encode(account.KeyPair)
		if err != nil {
			t.Fatal(err)
		}
		seed, err := user.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(token, seed)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(time.Now().Add(2 * time.Second).Unix())
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"nats.url": server.ClientURL(), "nats.credentials": path} {
		if err := c.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	nc, err := connect.DialNATS(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	reconnected := make(chan struct{}, 2)
	nc.SetReconnectHandler(func(*nats.Conn) { reconnected <- struct{}{} })
	write(0)
	<-reconnected
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := nc.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	<-reconnected
}

// key is a key of an operator, an account or a user.
type key struct {
	nkeys.KeyPair
	public string
}

func newKey(t *testing.T, create func() (nkeys.KeyPair, error)) key {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return key{pair, public}
}
