package campaign

// MayStillArrive reports whether a change whose response was lost may have an effect later.
func MayStillArrive(err error) bool { return mayStillArrive(err) }

// States returns the names of all states, in order, and of those that each kind of change has.
func States() (all, status, number []string) {
	for _, s := range states {
		all = append(all, s.name)
		if s.status != nil {
			status = append(status, s.name)
		}
		if s.number != nil {
			number = append(number, s.name)
		}
	}
	return all, status, number
}
