package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Limits of the password file and of passwords. bcrypt accepts at most 72 bytes.
const (
	usersFileLimit = 1 << 20
	minPassword    = 10
	maxPassword    = 72
	passwordCost   = 12 // about a quarter of a second
)

// account is a line of the password file.
type account struct {
	role Role
	hash []byte // nil: the user can log in only through the proxy
}

// Users is a password file with one line user:role:hash for each user. The hash is
// bcrypt's, or empty for users who can log in only through the proxy. Empty lines and
// lines that begin with # are skipped. The file is reloaded when it changes. It is an error
// if the group or others may write to the file.
type Users struct {
	path string

	mu       sync.Mutex
	modified time.Time
	size     int64
	accounts map[string]account
	decoy    []byte // see newDecoy
}

// OpenUsers reads a password file. Errors name the line, never its contents.
func OpenUsers(path string) (*Users, error) {
	u := &Users{path: path}
	_, err := u.current()
	return u, err
}

// lookup returns a user's account and whether it exists.
func (u *Users) lookup(name string) (account, bool, error) {
	if u == nil {
		return account{}, false, nil
	}
	accounts, err := u.current()
	a, known := accounts[name]
	return a, known, err
}

// current returns the accounts. It reads the file if it has changed.
func (u *Users) current() (map[string]account, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	info, err := os.Stat(u.path)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	if info.Mode().Perm()&0o022 != 0 { // whoever may write to it can log in as any user
		return nil, fmt.Errorf("read users %s: it has mode %#o, with which others than its owner can write to it: run chmod 600", u.path, info.Mode().Perm())
	}
	if u.accounts != nil && info.ModTime().Equal(u.modified) && info.Size() == u.size {
		return u.accounts, nil
	}
	f, err := os.Open(u.path)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	accounts, err := readUsers(io.LimitReader(f, usersFileLimit))
	if err != nil {
		return nil, fmt.Errorf("read users %s: %w", u.path, err)
	}
	if u.decoy, err = newDecoy(accounts); err != nil {
		return nil, err
	}
	u.accounts, u.modified, u.size = accounts, info.ModTime(), info.Size()
	return accounts, nil
}

// newDecoy returns a hash of random bytes, with the highest cost in the file. Passwords of
// unknown users are compared with it, so that the duration of a login does not reveal
// whether a name exists. If the file has no hash, the decoy is nil.
func newDecoy(accounts map[string]account) ([]byte, error) {
	highest := 0
	for _, a := range accounts {
		if cost, err := bcrypt.Cost(a.hash); err == nil {
			highest = max(highest, cost)
		}
	}
	if highest == 0 {
		return nil, nil
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(secret()), highest)
	if err != nil {
		return nil, fmt.Errorf("hash random bytes: %w", err)
	}
	return hash, nil
}

// digest identifies the hash of the user's password.
func (a account) digest() string { return hashOf(string(a.hash))[:16] }

// verify reports whether a password is the user's. It takes the same time for unknown
// names.
func (u *Users) verify(name, password string) (bool, error) {
	a, known, err := u.lookup(name)
	if err != nil || u == nil {
		return false, err
	}
	hash := a.hash
	if hash == nil {
		u.mu.Lock()
		hash = u.decoy
		u.mu.Unlock()
	}
	same := bcrypt.CompareHashAndPassword(hash, []byte(password)) == nil
	return same && known && a.hash != nil, nil
}

func readUsers(r io.Reader) (map[string]account, error) {
	accounts := map[string]account{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, a, err := parseAccount(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, exists := accounts[name]; exists {
			return nil, fmt.Errorf("line %d: user %s is listed twice", n, name)
		}
		accounts[name] = a
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("a line is too long: %w", err)
	}
	return accounts, nil
}

// parseAccount parses a line user:role:hash. Its errors never contain the line.
func parseAccount(line string) (name string, a account, err error) {
	fields := strings.Split(line, ":")
	if len(fields) != 3 {
		return "", account{}, errors.New("not of the form user:role:hash")
	}
	if err := checkName(fields[0]); err != nil {
		return "", account{}, err
	}
	role, err := ParseRole(fields[1])
	if err != nil {
		return "", account{}, err
	}
	if fields[2] == "" {
		return fields[0], account{role: role}, nil
	}
	if _, err := bcrypt.Cost([]byte(fields[2])); err != nil {
		return "", account{}, errors.New("the hash is not a bcrypt hash: create the line with usher console passwd")
	}
	return fields[0], account{role: role, hash: []byte(fields[2])}, nil
}

// checkName checks a user name, which appears in records and in the audit.
func checkName(name string) error {
	if name == "" || len(name) > 64 || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == ':' || c == 0x7f }) {
		return errors.New("a user name has 1 to 64 characters without spaces and colons")
	}
	return nil
}

// UserLine returns a user's line for a password file.
func UserLine(name string, role Role, password string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if len(password) < minPassword || len(password) > maxPassword {
		return "", fmt.Errorf("a password must have %d to %d bytes", minPassword, maxPassword)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), passwordCost)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return fmt.Sprintf("%s:%s:%s", name, role, hash), nil
}

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
