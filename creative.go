package usher

// CreativeEntry records the newest job that has set a creative, and the last job
// that has changed it. It lets workers agree on the status even if two of them
// work on the creative at once because a lock has expired.
type CreativeEntry struct {
	Order  uint64 `json:"order"`  // the order of the newest job
	Wanted string `json:"wanted"` // the status that it wants
	Job    string `json:"job"`    // its id

	// The last change that a job has claimed: the order of the job, and how the
	// platform showed the creative after the change. If the platform shows another
	// state, there has been a later change, which no job has claimed.
	ChangedOrder uint64        `json:"changed,omitempty"`
	Left         CreativeState `json:"left,omitzero"`

	// Revision is the revision at which the entry was read, or 0 if no job has
	// written one. It is not stored.
	Revision uint64 `json:"-"`
}

// Valid reports whether a job has written the entry.
func (e *CreativeEntry) Valid() bool { return e.Order > 0 || e.ChangedOrder > 0 }

// ChangedBy reports whether the creative is still in the state in which the
// change of the job with this order left it.
func (e *CreativeEntry) ChangedBy(order uint64, now CreativeState) bool {
	return e.ChangedOrder == order && e.Left == now
}
