package console

import "errors"

// Role is a set of permissions. Each role includes the permissions of lower roles.
type Role int

// The roles. Anyone is the role of a request without a login.
const (
	Anyone   Role = iota
	Viewer        // sees everything
	Operator      // also cancels, replays, edits, discards, pauses, resumes and stops
	Admin         // also starts campaign actions, pauses lanes and sets limits
)

func (r Role) String() string { return [...]string{"anyone", "viewer", "operator", "admin"}[r] }

// ParseRole reads viewer, operator or admin.
func ParseRole(word string) (Role, error) {
	for _, r := range []Role{Viewer, Operator, Admin} {
		if r.String() == word {
			return r, nil
		}
	}
	// The error does not repeat the word, which may be a misplaced password.
	return Anyone, errors.New("unknown role: use viewer, operator or admin")
}

// User is an authenticated user.
type User struct {
	Name string
	Role Role
}
