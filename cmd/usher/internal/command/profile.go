package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher"
)

// Profile is the value of a flag that takes a hash profile: idfa, or
// idfa/lower/no-hyphens.
type Profile struct{ Profile usher.Profile }

// String implements pflag.Value.
func (p *Profile) String() string {
	if p.Profile.Type == "" {
		return ""
	}
	return p.Profile.String()
}

// Type implements pflag.Value.
func (*Profile) Type() string { return "profile" }

// Set implements pflag.Value.
func (p *Profile) Set(text string) error {
	words := strings.Split(text, "/")
	if !slices.Contains(idTypes(), words[0]) {
		return fmt.Errorf("accepted are %s%s", profileForms(), DidYouMean(words[0], idTypes()))
	}
	profile := usher.Profile{Type: usher.IDType(words[0])}
	for _, word := range words[1:] {
		switch {
		case (word == string(usher.Upper) || word == string(usher.Lower)) && profile.Case == "":
			profile.Case = usher.Case(word)
		case (word == "hyphens" || word == "no-hyphens") && profile.Hyphens == nil:
			hyphens := word == "hyphens"
			profile.Hyphens = &hyphens
		default:
			return fmt.Errorf("after the id's type come upper or lower, and hyphens or no-hyphens, as in idfa/lower/no-hyphens%s",
				DidYouMean(word, []string{"upper", "lower", "hyphens", "no-hyphens"}))
		}
	}
	p.Profile = profile
	return nil
}

// idTypes returns the types of device ids.
func idTypes() []string {
	return []string{string(usher.IDFA), string(usher.AAID), string(usher.AndroidID)}
}

// profileForms returns what --profile accepts.
func profileForms() string {
	return strings.Join(idTypes(), ", ") + ", or type/case/hyphens as in idfa/lower/no-hyphens"
}

// ProfileVar adds the flag --profile.
func ProfileVar(cmd *cobra.Command, p *Profile, about string) {
	cmd.Flags().Var(p, "profile", about+": "+profileForms())
	complete(cmd, "profile", idTypes())
}
