package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
)

// These are set when a release is built, for example by
// -ldflags "-X main.release=1.2.3 -X main.commit=0123… -X main.date=2026-11-26T07:52:26Z".
var release, commit, date string

// build says what this binary was built from. Commit and Date are empty if they are unknown.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (b build) String() string {
	s := "usher " + b.Version
	if b.Commit != "" {
		s += ", commit " + b.Commit
	}
	if b.Date != "" {
		s += " of " + b.Date
	}
	return fmt.Sprintf("%s, %s, %s", s, b.Go, b.Platform)
}

// thisBuild returns what the linker was told, or otherwise what Go recorded of the source.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := buildOf(info)
	return build{
		Version: cmp.Or(release, b.Version), Commit: cmp.Or(commit, b.Commit), Date: cmp.Or(date, b.Date),
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

func version() string { return thisBuild().Version }

func buildOf(info *debug.BuildInfo) build {
	b, dirty := build{}, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value
		case s.Key == "vcs.time":
			b.Date = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	switch v := info.Main.Version; {
	case len(v) > 1 && v[0] == 'v':
		b.Version = v[1:]
	case len(b.Commit) >= 12:
		b.Version = "0.0.0-" + b.Commit[:12] + dirty
	default:
		b.Version = "0.0.0-unknown"
	}
	return b
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of usher, the commit that it was built from and its date, the version
of Go, and the platform that usher was built for. Commit and date are missing if usher
was built outside a Git checkout and is not a release.`,
		Example: "  usher version --json",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(thisBuild())
			}
			fmt.Fprintln(cmd.OutOrStdout(), thisBuild())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}
