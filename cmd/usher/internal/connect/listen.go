package connect

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// Listen listens at a host:port. Its error names the part that needs the address.
func Listen(ctx context.Context, address, who string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err == nil {
		return l, nil
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return nil, fmt.Errorf("listen for %s at %s: %w; give another address, or port 0 for a free port", who, address, err)
}
