package rtb

import (
	"context"
	"fmt"
	"net"
	"net/http/httptrace"
	"syscall"

	"usher"
)

// heldKey is the key under which a context has the function of WhileHeld.
type heldKey struct{}

// WhileHeld returns a context for calls of which nothing may be sent once held reports false.
// held is called before each write to the connection, so it must be fast. The call then fails
// with usher.ErrLeaseLost.
//
// The end of a context does not ensure that. When a process continues that was suspended, it
// may send the rest of a request before one of its goroutines notices that the time is over.
func WhileHeld(ctx context.Context, held func() bool) context.Context {
	return context.WithValue(ctx, heldKey{}, held)
}

// heldBy returns the function of WhileHeld, or nil if ctx has none.
func heldBy(ctx context.Context) func() bool {
	held, _ := ctx.Value(heldKey{}).(func() bool)
	return held
}

// checkHeld returns usher.ErrLeaseLost if nothing may be sent any more.
func checkHeld(ctx context.Context) error {
	if held := heldBy(ctx); held != nil && !held() {
		return usher.ErrLeaseLost
	}
	return nil
}

// withHeld makes the connection of a request ask the function of WhileHeld, which may be nil.
func withHeld(ctx context.Context) context.Context {
	held := heldBy(ctx)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		c := info.Conn
		if secured, ok := c.(interface{ NetConn() net.Conn }); ok {
			c = secured.NetConn()
		}
		if own, ok := c.(*conn); ok {
			own.held.Store(&held)
		}
	}})
}

// writeHeld writes p. It calls held before each system call, and net.Conn's Write does not
// return between them.
func (c *conn) writeHeld(p []byte, held func() bool) (written int, err error) {
	system, ok := c.Conn.(syscall.Conn)
	if !ok {
		return 0, fmt.Errorf("write to a connection of type %T: it has no file descriptor", c.Conn)
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Write(func(fd uintptr) (done bool) {
		for written < len(p) {
			if !held() {
				failed = usher.ErrLeaseLost
				return true
			}
			var n int
			n, failed = syscall.Write(int(fd), p[written:])
			switch failed {
			case syscall.EAGAIN:
				failed = nil
				return false // until there is room
			case syscall.EINTR:
				failed = nil
			case nil:
				written += n
			default:
				return true
			}
		}
		return true
	})
	if failed != nil {
		err = failed
	}
	return written, err
}
