package main

import (
	"fmt"
	"os"
	"strings"
)

// writeNotes writes the release notes: the section of this version in the changelog. A commit
// without a tag has the section of what is not released yet.
func (r *release) writeNotes() error {
	changelog, err := r.read("CHANGELOG.md")
	if err != nil {
		return err
	}
	name := r.version
	if !r.tagged {
		name = "Unreleased"
	}
	section, ok := section(string(changelog), name)
	if !ok {
		return fmt.Errorf("CHANGELOG.md has no section [%s]: give Unreleased this name and commit that before the tag", name)
	}
	toolchain, err := output(r.folder, "go", "env", "GOVERSION")
	if err != nil {
		return err
	}
	notes := fmt.Sprintf("# usher %s\n\nBuilt from commit %s by %s. To build it again, check out the commit and run `make release` with that version of Go: SHA256SUMS must be the same.\n\n%s",
		r.version, r.commit, toolchain, section)
	return os.WriteFile(r.path("_notes.md"), []byte(notes), 0o644)
}

// section returns the text below the heading "## [name]", up to the next such heading.
func section(changelog, name string) (string, bool) {
	_, after, found := strings.Cut("\n"+changelog, "\n## ["+name+"]")
	if !found {
		return "", false
	}
	_, text, _ := strings.Cut(after, "\n") // the date
	text, _, _ = strings.Cut("\n"+text, "\n## [")
	return strings.TrimSpace(text) + "\n", true
}
