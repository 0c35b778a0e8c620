package pipeline

import (
	"bytes"
	"fmt"

	"usher"
	"usher/hashing"
)

// wrongWay is the index for rows whose type has no hasher.
const wrongWay = -1

// router hashes rows with a type, each by the profile of its type. Every hasher processes
// all rows at full speed, and the result of the right one is kept for each row.
type router struct {
	ways []*way // the job's profile first
	of   [usher.RowTypes]int
}

// way is a hasher with its results for the current rows.
type way struct {
	hasher           *hashing.Hasher
	room             *hashing.Out
	out              hashing.Out // as much of room as may be filled
	digests, rejects int         // of out, already taken
}

// newRouter returns a router. If mixed is set, rows of other types than the profile's are
// hashed by the default profile of their type; otherwise they count as wrong_type.
func newRouter(own *hashing.Hasher, o *Options) (*router, error) {
	r := &router{}
	add := func(h *hashing.Hasher) int {
		r.ways = append(r.ways, &way{hasher: h, room: hashing.NewOut(chunkIDs, chunkRejects)})
		return len(r.ways) - 1
	}
	add(own)
	made := map[usher.IDType]int{}
	for t := range usher.RowTypes {
		kind := t.IDType()
		switch {
		case kind == "":
			r.of[t] = wrongWay
		case o.Profile.Type.Fits(t), o.Mixed && o.Input == usher.InputMD5:
			r.of[t] = 0
		case !o.Mixed:
			r.of[t] = wrongWay
		default:
			if _, ok := made[kind]; !ok {
				h, err := hashing.New(usher.Profile{Type: kind}, o.Input)
				if err != nil {
					return nil, fmt.Errorf("hash rows of type %s: %w", kind, err)
				}
				h.SetHeader(o.Header)
				made[kind] = add(h)
			}
			r.of[t] = made[kind]
		}
	}
	return r, nil
}

// lines is hashing.Hasher.Lines for records with types.
func (r *router) lines(out *hashing.Out, in []byte, types []usher.RowType) (used int) {
	out.Digests, out.Rows, out.Rejects, out.Count = out.Digests[:0], out.Rows[:0], out.Rejects[:0], 0
	known := len(types)
	most := min(cap(out.Rows), 2*cap(out.Rejects), chunkIDs) // more rows would be hashed for nothing if half have a wrong type
	for _, w := range r.ways {
		w.out = hashing.Out{Digests: w.room.Digests[:0:most], Rows: w.room.Rows[:0:most], Rejects: w.room.Rejects[:0]}
		w.hasher.Lines(&w.out, in, true, true)
		w.digests, w.rejects = 0, 0
		known = min(known, w.out.Count)
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
		r.row(out, int32(row), r.of[types[row]], at, at+len(line))
	}
	return used
}

// row takes the results of all ways for a row and keeps that of the right one.
func (r *router) row(out *hashing.Out, row int32, right, from, to int) {
	wrong := right == wrongWay
	for i, w := range r.ways {
		keep := i == max(right, 0)
		if w.digests < len(w.out.Rows) && w.out.Rows[w.digests] == row {
			if keep && !wrong {
				out.Digests = append(out.Digests, w.out.Digests[w.digests])
				out.Rows = append(out.Rows, row)
			}
			if keep && wrong {
				out.Rejects = append(out.Rejects, hashing.Reject{Row: row, Reason: hashing.WrongType, From: from, To: to})
			}
			w.digests++
			continue
		}
		if keep {
			reject := w.out.Rejects[w.rejects]
			if wrong && reject.Reason.Invalid() {
				reject.Reason = hashing.WrongType // rather than the hasher's reason
			}
			out.Rejects = append(out.Rejects, reject)
		}
		w.rejects++
	}
	out.Count++
}
