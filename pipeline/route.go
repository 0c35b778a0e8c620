package pipeline

import (
	"bytes"
	"fmt"

	"usher"
	"usher/hashing"
)

// noRoute is the route of rows whose ids are not hashed.
const noRoute = -1

// router hashes rows that have a type, each by the profile of its type. Every hasher
// processes all rows at full speed, and for each row the result of one of them is kept.
type router struct {
	routes []*route            // the first one is that of the job's profile
	byType [usher.RowTypes]int // the index of the route for each type, or noRoute
}

// route is a hasher with its results for the current rows.
type route struct {
	hasher           *hashing.Hasher
	buffer           *hashing.Out
	out              hashing.Out // the part of buffer that may be filled
	digests, rejects int         // number of digests and rejects of out that were taken
}

// newRouter returns a router. If o.Mixed is set, rows of other types than the profile's are
// hashed by the default profile of their type; otherwise they count as wrong_type.
func newRouter(jobs *hashing.Hasher, o *Options) (*router, error) {
	r := &router{}
	add := func(h *hashing.Hasher) int {
		r.routes = append(r.routes, &route{hasher: h, buffer: hashing.NewOut(chunkIDs, chunkRejects)})
		return len(r.routes) - 1
	}
	add(jobs)
	added := map[usher.IDType]int{}
	for t := range usher.RowTypes {
		idType := t.IDType()
		switch {
		case idType == "":
			r.byType[t] = noRoute
		case o.Profile.Type.Fits(t), o.Mixed && o.Input == usher.InputMD5:
			r.byType[t] = 0
		case !o.Mixed:
			r.byType[t] = noRoute
		default:
			if _, ok := added[idType]; !ok {
				h, err := hashing.New(usher.Profile{Type: idType}, o.Input)
				if err != nil {
					return nil, fmt.Errorf("hash rows of type %s: %w", idType, err)
				}
				h.SetHeader(o.Header)
				if o.Hyphens {
					h.SetHyphens()
				}
				added[idType] = add(h)
			}
			r.byType[t] = added[idType]
		}
	}
	return r, nil
}

// lines does the same as hashing.Hasher.Lines, for records with types.
func (r *router) lines(out *hashing.Out, in []byte, types []usher.RowType) (used int) {
	out.Digests, out.Rows, out.Rejects, out.Count = out.Digests[:0], out.Rows[:0], out.Rejects[:0], 0
	known := len(types)
	limit := min(cap(out.Rows), 2*cap(out.Rejects), chunkIDs) // more rows would not fit if half of them have a wrong type
	for _, route := range r.routes {
		route.out = hashing.Out{Digests: route.buffer.Digests[:0:limit], Rows: route.buffer.Rows[:0:limit], Rejects: route.buffer.Rejects[:0]}
		route.hasher.Lines(&route.out, in, true, true)
		route.digests, route.rejects = 0, 0
		known = min(known, route.out.Count)
	}
	for row := range known {
		if len(out.Rows) == cap(out.Rows) || len(out.Rejects) == cap(out.Rejects) {
			break
		}
		line := in[used:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		at := used
		used = min(used+len(line)+1, len(in))
		r.row(out, int32(row), r.byType[types[row]], at, at+len(line))
	}
	return used
}

// row takes the results of all routes for a row and keeps that of the chosen one. Without a
// route, the row is junk if the job's hasher says so, otherwise it has the wrong type.
func (r *router) row(out *hashing.Out, row int32, chosen, from, to int) {
	var digest *hashing.Digest
	var reject *hashing.Reject
	for i, route := range r.routes {
		d, x := route.next(row)
		if i == max(chosen, 0) {
			digest, reject = d, x
		}
	}
	wrong := chosen == noRoute
	switch {
	case digest != nil && wrong:
		out.Rejects = append(out.Rejects, hashing.Reject{Row: row, Reason: hashing.WrongType, From: from, To: to})
	case digest != nil:
		out.Digests = append(out.Digests, *digest)
		out.Rows = append(out.Rows, row)
	default:
		out.Rejects = append(out.Rejects, *reject)
		if wrong && reject.Reason.Invalid() {
			out.Rejects[len(out.Rejects)-1].Reason = hashing.WrongType
		}
	}
	out.Count++
}

// next takes the result for a row, which follows the row of the previous call: either a digest
// or a reject.
func (r *route) next(row int32) (*hashing.Digest, *hashing.Reject) {
	if r.digests < len(r.out.Rows) && r.out.Rows[r.digests] == row {
		r.digests++
		return &r.out.Digests[r.digests-1], nil
	}
	r.rejects++
	return nil, &r.out.Rejects[r.rejects-1]
}
