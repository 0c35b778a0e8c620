package embedded

import (
	"context"

	"usher/cmd/usher/internal/connect"
)

// portFree says so where somebody else listens already: the NATS server itself
// would only log it, the Redis server not say what to do.
func portFree(ctx context.Context, address, who string) error {
	l, err := connect.Listen(ctx, address, who)
	if err != nil {
		return err
	}
	return l.Close()
}
