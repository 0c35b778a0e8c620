package command

import (
	"fmt"
)

// Delimiter is a delimiter, or a name of one: a tab is hard to type.
type Delimiter string

func (d *Delimiter) String() string { return string(*d) }

func (*Delimiter) Type() string { return "character" }

func (d *Delimiter) Set(word string) error {
	named := map[string]string{"tab": "\t", `\t`: "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
	if character, ok := named[word]; ok {
		word = character
	}
	if err := OneOf(word, []string{",", ";", "|", "\t", "auto"}); err != nil {
		return fmt.Errorf(`accepted are ",", ";", "|", tab and auto%s`, DidYouMean(word, []string{"tab", "comma", "semicolon", "pipe", "auto"}))
	}
	*d = Delimiter(word)
	return nil
}
