package embedded

import (
	"context"

	"usher/cmd/usher/internal/connect"
)

// checkPort returns an error that says what to do if the address is in use. The NATS
// server would only log it.
func checkPort(ctx context.Context, address, who string) error {
	l, err := connect.Listen(ctx, address, who)
	if err != nil {
		return err
	}
	return l.Close()
}
