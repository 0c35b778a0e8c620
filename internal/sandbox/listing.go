package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"usher/internal/rtb"
)

// listing is a success whose data is one list, made record by record while it
// is sent: the largest has over a hundred thousand.
type listing struct {
	key     string
	records iter.Seq[any]
}

// list joins an operation whose answer is one list and the function that finds
// its records. Those are made after Sandbox.mu was let go, from what never
// changes.
func list[In, Out, Record any](op rtb.Op[In, Out], find func(in In) (iter.Seq[Record], error)) route {
	key, _, _ := strings.Cut(op.Out.Field(0).Tag.Get("json"), ",")
	return route{op.Operation, func(_ *world, _ *call, in any) (any, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("run %s: in is a %T: this is a bug in the sandbox", op.Name, in)
		}
		found, err := find(typed)
		if err != nil {
			return nil, err
		}
		return listing{key, func(yield func(any) bool) {
			for record := range found {
				if !yield(record) {
					return
				}
			}
		}}, nil
	}}
}

// all joins an operation that takes nothing and its list.
func all[Out, Record any](op rtb.Op[rtb.Nothing, Out], table func() iter.Seq[Record]) route {
	return list(op, func(rtb.Nothing) (iter.Seq[Record], error) { return table(), nil })
}

// write sends the listing in its envelope.
func (l listing) write(to io.Writer, warnings []note) error {
	b := bufio.NewWriterSize(to, 32<<10)
	fmt.Fprintf(b, `{"status":"success","data":{%q:[`, l.key)
	comma := ""
	for record := range l.records {
		fmt.Fprint(b, comma)
		if _, err := b.Write(mustJSON(record)); err != nil {
			return err // nobody reads on
		}
		comma = ","
	}
	fmt.Fprint(b, "]")
	if len(warnings) > 0 {
		fmt.Fprintf(b, `,"warnings":%s`, mustJSON(warnings))
	}
	fmt.Fprint(b, "}}")
	return b.Flush()
}

// succeeded is the answer that holds an operation's Out, or its listing.
func succeeded(out any, warnings []note) answer {
	if l, ok := out.(listing); ok {
		return answer{status: http.StatusOK, stream: func(w io.Writer) error { return l.write(w, warnings) }}
	}
	return answer{status: http.StatusOK, body: success(out, warnings)}
}

// whole is the answer with its body in memory.
func (a answer) whole() answer {
	if a.stream != nil {
		var b strings.Builder
		_ = a.stream(&b) // memory takes everything
		a.body, a.stream = []byte(b.String()), nil
	}
	return a
}
