package console

import "fmt"

// Role is what somebody may do; each may do what those before it may.
type Role int

// The roles. Anyone needs no login.
const (
	Anyone   Role = iota
	Viewer        // sees everything
	Operator      // cancels, replays, edits, discards, pauses, resumes, stops
	Admin         // starts what was stopped, sets lanes and limits
)

func (r Role) String() string { return [...]string{"anyone", "viewer", "operator", "admin"}[r] }

// ParseRole reads viewer, operator or admin.
func ParseRole(word string) (Role, error) {
	for _, r := range []Role{Viewer, Operator, Admin} {
		if r.String() == word {
			return r, nil
		}
	}
	return Anyone, fmt.Errorf("there is no role %q: it is viewer, operator or admin", word)
}

// User is who acts.
type User struct {
	Name string
	Role Role
}
