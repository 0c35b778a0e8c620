package api

import (
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
)

// otherNames returns further names of an operation's verb.
func otherNames(operation string) []string {
	_, verb, _ := strings.Cut(operation, ".")
	switch operation {
	case "campaigns.put", "users.put":
		return []string{"create", "update"}
	case "creatives.push":
		return []string{"upload"}
	case "segments.update", "advertisers.update":
		return []string{"put"}
	case "reporting.transactions":
		return []string{"transaction"}
	}
	return map[string][]string{"list": {"ls"}, "get": {"show"}, "delete": {"rm"}}[verb]
}

// addPointers adds commands for words that people try and that stand for several
// operations. They only say which ones.
func addPointers(area *cobra.Command) {
	if area.Name() != "ssp" {
		return
	}
	for _, verb := range []string{"create", "update", "put", "get", "list"} {
		target := "put-publisher or put-adslot"
		switch verb {
		case "get":
			target = "publisher or adslot"
		case "list":
			target = "publisher or adslot, which read one: the platform does not list them"
		}
		area.AddCommand(&cobra.Command{
			Use: verb, Hidden: true, DisableFlagParsing: true,
			Short: "Use " + target, Long: "Use " + target + ".", Example: "  usher api ssp --help",
			RunE: func(*cobra.Command, []string) error {
				return command.Usagef("ssp has no %s: use %s", verb, target)
			},
		})
	}
}
