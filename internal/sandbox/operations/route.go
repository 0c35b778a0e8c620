package operations

import (
	"fmt"
	"iter"
	"strings"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

// Route is an operation of rtb's table and the function that implements it.
type Route struct {
	Operation rtb.Operation

	// Run takes the operation's In and returns its Out, or an
	// envelope.Listing. The caller must hold the lock of the State.
	Run func(s *State, c *Call, in any) (out any, err error)
}

// on returns the route of an operation.
func on[In, Out any](op rtb.Op[In, Out], run func(s *State, c *Call, in In) (Out, error)) Route {
	return Route{op.Operation, func(s *State, c *Call, in any) (any, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("run %s: in is a %T: this is a bug in the sandbox", op.Name, in)
		}
		return run(s, c, typed)
	}}
}

// list returns the route of an operation whose answer is one long list of constant records.
// The records are created while they are sent, after the lock of the State was released.
func list[In, Out, Record any](op rtb.Op[In, Out], find func(in In) (iter.Seq[Record], error)) Route {
	key, _, _ := strings.Cut(op.Out.Field(0).Tag.Get("json"), ",")
	return Route{op.Operation, func(_ *State, _ *Call, in any) (any, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("run %s: in is a %T: this is a bug in the sandbox", op.Name, in)
		}
		found, err := find(typed)
		if err != nil {
			return nil, err
		}
		return envelope.Listing{Key: key, Records: func(yield func(any) bool) {
			for record := range found {
				if !yield(record) {
					return
				}
			}
		}}, nil
	}}
}

// all returns the route of an operation that lists a whole table.
func all[Out, Record any](op rtb.Op[rtb.Nothing, Out], table func() iter.Seq[Record]) Route {
	return list(op, func(rtb.Nothing) (iter.Seq[Record], error) { return table(), nil })
}
