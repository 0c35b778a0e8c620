package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher"
)

// Profile is a hash profile as a flag's value: idfa, or idfa/lower/no-hyphens.
type Profile struct{ Profile usher.Profile }

func (p *Profile) String() string {
	if p.Profile.Type == "" {
		return ""
	}
	return p.Profile.String()
}

func (*Profile) Type() string { return "profile" }

func (p *Profile) Set(text string) error {
	words := strings.Split(text, "/")
	if err := OneOf(words[0], IDTypes()); err != nil {
		return err
	}
	made := usher.Profile{Type: usher.IDType(words[0])}
	for _, word := range words[1:] {
		switch {
		case (word == string(usher.Upper) || word == string(usher.Lower)) && made.Case == "":
			made.Case = usher.Case(word)
		case (word == "hyphens" || word == "no-hyphens") && made.Hyphens == nil:
			hyphens := word == "hyphens"
			made.Hyphens = &hyphens
		default:
			return fmt.Errorf("after the id's type come upper or lower, and hyphens or no-hyphens, as in idfa/lower/no-hyphens%s",
				DidYouMean(word, []string{"upper", "lower", "hyphens", "no-hyphens"}))
		}
	}
	p.Profile = made
	return nil
}

func IDTypes() []string {
	return []string{string(usher.IDFA), string(usher.AAID), string(usher.AndroidID)}
}

func ProfileVar(cmd *cobra.Command, p *Profile, about string) {
	cmd.Flags().Var(p, "profile", about+": "+strings.Join(IDTypes(), ", ")+", or type/case/hyphens as in idfa/lower/no-hyphens")
	complete(cmd, "profile", IDTypes())
}
