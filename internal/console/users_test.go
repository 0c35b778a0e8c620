package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"usher/internal/console"
)

func TestUsersFile(t *testing.T) {
	t.Parallel()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	line := "ada:operator:" + string(hash)
	for text, says := range map[string]string{
		line + "\n":                "",
		"ada:viewer:\r\n":          "",
		"ada\n":                    "line 1: not of the form user:role:hash",
		"\n\nada:king:x\n":         "line 3: unknown role",
		"ada:viewer:secret\n":      "line 1: the hash is not a bcrypt hash",
		"ada:viewer:\nada:admin:":  "line 2: user ada is listed twice",
		"a da:viewer:\n":           "line 1: a user name",
		strings.Repeat("x", 70000): "line is too long",
	} {
		path := filepath.Join(t.TempDir(), "users")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := console.OpenUsers(path)
		switch {
		case says == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%.40q: %v, want %s", text, err, says)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("the error repeats the contents of the file: %v", err)
		}
	}
	for _, password := range []string{"short", strings.Repeat("x", 73)} {
		if _, err := console.UserLine("ada", console.Viewer, password); err == nil {
			t.Errorf("a password of %d bytes is accepted", len(password))
		}
	}
}

// A password file to which others may write is refused, also while the console runs.
func TestWritableUsersFile(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	v := s.loginAs("anna")
	for mode, accepted := range map[os.FileMode]bool{0o666: false, 0o620: false, 0o602: false, 0o777: false, 0o600: true, 0o400: true, 0o444: true, 0o640: true} {
		if err := os.Chmod(s.users, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := console.OpenUsers(s.users); (err == nil) != accepted || err != nil && !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a file with mode %o: %v", mode, err)
		}
		if user, _ := v.refresh(); (user == "anna") != accepted {
			t.Errorf("with mode %o the session belongs to %q", mode, user)
		}
	}
}
