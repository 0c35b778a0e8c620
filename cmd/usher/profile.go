package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher"
)

// profileValue is a hash profile as a flag's value: idfa, or idfa/lower/no-hyphens.
type profileValue struct{ profile usher.Profile }

func (p *profileValue) String() string {
	if p.profile.Type == "" {
		return ""
	}
	return p.profile.String()
}

func (*profileValue) Type() string { return "profile" }

func (p *profileValue) Set(text string) error {
	words := strings.Split(text, "/")
	if err := oneOf(words[0], idTypes()); err != nil {
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
				didYouMean(word, []string{"upper", "lower", "hyphens", "no-hyphens"}))
		}
	}
	p.profile = made
	return nil
}

func idTypes() []string {
	return []string{string(usher.IDFA), string(usher.AAID), string(usher.AndroidID)}
}

func profileFlag(cmd *cobra.Command, p *profileValue, about string) {
	cmd.Flags().Var(p, "profile", about+": "+strings.Join(idTypes(), ", ")+", or type/case/hyphens as in idfa/lower/no-hyphens")
	complete(cmd, "profile", idTypes())
}
