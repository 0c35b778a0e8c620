package files_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules/files"
)

const valid = "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-x\"]}, window: yesterday, pause_when: clicks > 1}\n"

// announcements is a registry that keeps what was announced.
type announcements struct {
	files map[string]usher.RuleFile
	both  context.CancelFunc // is called when there are two
}

func (a *announcements) Announce(_ context.Context, file usher.RuleFile) error {
	if a.files[file.Name] = file; len(a.files) == 2 {
		a.both()
	}
	return nil
}

func (a *announcements) Withdraw(context.Context, string) error { return nil }

// TestAnnounceBrokenFile checks that a new file that is not valid is announced with its
// error, and that it has no version in use.
func TestAnnounceBrokenFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("good.yaml", valid)
	f, err := files.Open([]string{dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	write("new rules.yaml", "account: A\n")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	a := &announcements{map[string]usher.RuleFile{}, cancel}
	f.Announce(ctx, a, time.Hour)
	if broken := a.files["new_rules"]; broken.Wrong == "" || broken.Text != "" || a.files["good"].Text != valid || a.files["good"].Wrong != "" {
		t.Errorf("announced are %+v", a.files)
	}
	good, known := f.Version("good")
	if none, _ := f.Version("new rules"); none != "" || good == "" || !known {
		t.Errorf("versions are %q and %q", good, none)
	}
}

// Workers have the same digest if their files have the same names and texts, in whatever folders.
func TestDigest(t *testing.T) {
	t.Parallel()
	digest := func(texts map[string]string) string {
		dir := t.TempDir()
		for name, text := range texts {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := files.Open([]string{dir}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return f.Digest()
	}
	one := digest(map[string]string{"a.yaml": valid})
	if again := digest(map[string]string{"a.yaml": valid}); again != one {
		t.Errorf("the same file has the digests %s and %s", one, again)
	}
	for name, other := range map[string]map[string]string{
		"none": {}, "another name": {"b.yaml": valid}, "another text": {"a.yaml": valid + "# x\n"}, "a further file": {"a.yaml": valid, "b.yaml": valid},
	} {
		if digest(other) == one {
			t.Errorf("%s: the digest is the same", name)
		}
	}
}

// TestChangedTargets checks that a changed table is a changed file, and that one that is not valid or
// gone leaves the last one in use.
func TestChangedTargets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules := strings.Replace(valid, "rules:", "targets: t.csv\nrules:", 1)
	write("good.yaml", strings.Replace(rules, "clicks > 1", "clicks > target.most", 1))
	write("t.csv", "campaign,most\nA-x,1\n")
	f, err := files.Open([]string{dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	first, _ := f.Version("good")
	write("t.csv", "campaign,most\nA-x,20\n")
	second, _ := f.Version("good")
	write("t.csv", "campaign,most\nA-x,many\n")
	broken, _ := f.Version("good")
	if err := os.Remove(filepath.Join(dir, "t.csv")); err != nil {
		t.Fatal(err)
	}
	gone, _ := f.Version("good")
	if first == second || second != broken || second != gone {
		t.Errorf("the versions are %q, %q, %q and %q", first, second, broken, gone)
	}
	write("t.csv", "campaign,most\nA-x,20\n")
	if back, _ := f.Version("good"); back != second {
		t.Errorf("the version is %q again, want %q", back, second)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a := &announcements{map[string]usher.RuleFile{}, cancel}
	a.files["another"] = usher.RuleFile{}
	f.Announce(ctx, a, time.Hour)
	if announced := a.files["good"]; announced.Targets != "campaign,most\nA-x,20\n" || announced.Wrong != "" {
		t.Errorf("announced is %+v", announced)
	}
}
