package usher

// Word is the newest word on a creative, and whose doing its status is. It is
// what workers agree by when a lock has not kept them apart.
type Word struct {
	Order  uint64 `json:"order"`  // of the job that has spoken last
	Wanted string `json:"wanted"` // the status that it wanted
	Job    string `json:"job"`

	// The last change that a job has claimed: the job's order, and how the
	// platform showed the creative then. Nobody's where it shows otherwise.
	Changed uint64 `json:"changed,omitempty"`
	Left    Seen   `json:"left,omitzero"`
}

// By reports whether the creative stands as the change of the job of that order
// has left it.
func (w *Word) By(order uint64, now Seen) bool { return w.Changed == order && w.Left == now }
