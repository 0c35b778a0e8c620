package console

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzUsers reads arbitrary password files. Accepted accounts have valid names and roles,
// and errors contain no part of a hash.
func FuzzUsers(f *testing.F) {
	const hash = "$2a$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"
	for _, seed := range []string{"", "# people\n\nanna:admin:" + hash + "\n", "a:viewer:\r\nb:operator:" + hash, "a:b", "a:viewer:x:y", "a:admin:$2a$99$x", "\xff:viewer:", "a\x00:viewer:"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		accounts, err := readUsers(bytes.NewReader(data))
		if err != nil {
			if strings.Contains(err.Error(), "$2") {
				t.Errorf("the error shows a hash: %v", err)
			}
			return
		}
		for name, a := range accounts {
			if checkName(name) != nil || a.role <= Anyone || a.role > Admin {
				t.Errorf("%q has the role %d", name, a.role)
			}
			if _, err := newDecoy(map[string]account{name: {role: a.role}}); err != nil {
				t.Error(err)
			}
		}
	})
}
