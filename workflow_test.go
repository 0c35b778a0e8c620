package usher_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The workflows run programs of the repository that exist, actions that are pinned to a commit,
// and containers with the version of Go that go.mod names.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no workflows: %v", err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go ([0-9]+\.[0-9]+)`).FindStringSubmatch(string(module))[1]
	step := regexp.MustCompile(`(?m)^ +-? *(run|uses|container): (.*)$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		steps := step.FindAllStringSubmatch(string(text), -1)
		if len(steps) < 3 {
			t.Errorf("%s has only the steps %q", file, steps)
		}
		for _, s := range steps {
			switch value := s[2]; s[1] {
			case "run":
				if info, err := os.Stat(strings.Fields(value)[0]); err != nil || info.Mode()&0o111 == 0 {
					t.Errorf("%s runs %s, which is no program of the repository: %v", file, value, err)
				}
			case "uses":
				if !regexp.MustCompile(`^[a-z-]+/[a-z-]+@[0-9a-f]{40} # v[0-9.]+$`).MatchString(value) {
					t.Errorf("%s uses %s: pin it to a commit, and say its version", file, value)
				}
			case "container":
				if !strings.HasPrefix(value, "golang:"+version+"-") {
					t.Errorf("%s runs in %s, and go.mod says Go %s", file, value, version)
				}
			}
		}
	}
}
