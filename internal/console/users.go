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

// Limits of the password file and of passwords. bcrypt takes no more than 72
// bytes.
const (
	usersFileLimit = 1 << 20
	passwordLeast  = 10
	passwordMost   = 72
	passwordCost   = 12 // a quarter of a second
)

// account is a line of the password file.
type account struct {
	role Role
	hash []byte // nil: this user comes through the proxy only
}

// Users is a password file: a line user:role:hash each, the hash being bcrypt's,
// or empty for who comes through the proxy only; empty lines and those that
// begin with # are skipped. A change of the file holds from the next request on.
type Users struct {
	path string

	mu       sync.Mutex
	modified time.Time
	size     int64
	accounts map[string]account
	decoy    []byte // see decoyOf
}

// OpenUsers reads a password file. One that is not as it should be is an error
// with its line's number, and never its contents.
func OpenUsers(path string) (*Users, error) {
	u := &Users{path: path}
	_, err := u.current()
	return u, err
}

// lookup is a user's account now. An unreadable file has no users.
func (u *Users) lookup(name string) (account, bool, error) {
	if u == nil {
		return account{}, false, nil
	}
	accounts, err := u.current()
	a, known := accounts[name]
	return a, known, err
}

func (u *Users) current() (map[string]account, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	info, err := os.Stat(u.path)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
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
	if u.decoy, err = decoyOf(accounts); err != nil {
		return nil, err
	}
	u.accounts, u.modified, u.size = accounts, info.ModTime(), info.Size()
	return accounts, nil
}

// decoyOf is compared with where there is no such user, so that the time that a
// login takes says nothing of who there is: a hash of random bytes that costs
// what the dearest one of the file does. A file without any has none.
func decoyOf(accounts map[string]account) ([]byte, error) {
	dearest := 0
	for _, a := range accounts {
		if cost, err := bcrypt.Cost(a.hash); err == nil {
			dearest = max(dearest, cost)
		}
	}
	if dearest == 0 {
		return nil, nil
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(secret()), dearest)
	if err != nil {
		return nil, fmt.Errorf("hash random bytes: %w", err)
	}
	return hash, nil
}

// right reports whether a password is a user's. It takes as long for a name
// that there is not.
func (u *Users) right(name, password string) (bool, error) {
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
		fields := strings.Split(line, ":")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d is not user:role:hash", n)
		}
		name, hash := fields[0], fields[2]
		role, err := ParseRole(fields[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := checkName(name); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := accounts[name]; twice {
			return nil, fmt.Errorf("line %d: user %s stands there twice", n, name)
		}
		a := account{role: role}
		if hash != "" {
			if _, err := bcrypt.Cost([]byte(hash)); err != nil {
				return nil, fmt.Errorf("line %d: the hash is none of bcrypt's: `usher console passwd` makes the line", n)
			}
			a.hash = []byte(hash)
		}
		accounts[name] = a
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line too long: %w", err)
	}
	return accounts, nil
}

// checkName refuses what may not name a user: names stand in records and audit.
func checkName(name string) error {
	if name == "" || len(name) > 64 || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == ':' || c == 0x7f }) {
		return errors.New("a user's name is 1 to 64 characters without spaces and colons")
	}
	return nil
}

// UserLine makes a user's line of a password file.
func UserLine(name string, role Role, password string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if len(password) < passwordLeast || len(password) > passwordMost {
		return "", fmt.Errorf("a password has %d to %d bytes", passwordLeast, passwordMost)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), passwordCost)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return fmt.Sprintf("%s:%s:%s", name, role, hash), nil
}
