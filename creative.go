package usher

// CreativeEntry is the order of the jobs that set a creative, and whose change
// its status is. Workers agree by it if a lock has not kept them apart.
type CreativeEntry struct {
	Order  uint64 `json:"order"`  // of the newest job
	Wanted string `json:"wanted"` // the status that it wants
	Job    string `json:"job"`    // its id

	// The last change that a job has claimed: the order of the job, and how the
	// platform showed the creative after the change. If the platform shows it
	// otherwise, no job has claimed the change since.
	Changed uint64        `json:"changed,omitempty"`
	Left    CreativeState `json:"left,omitzero"`

	// Revision is the revision at which the entry was read; 0: no job has
	// written one. It is not part of the entry.
	Revision uint64 `json:"-"`
}

// Valid reports whether the entry is one that a job has written.
func (e *CreativeEntry) Valid() bool { return e.Order > 0 || e.Changed > 0 }

// ChangedBy reports whether the creative is as the change of the job of that
// order has left it.
func (e *CreativeEntry) ChangedBy(order uint64, now CreativeState) bool {
	return e.Changed == order && e.Left == now
}
