package command

import "fmt"

// delimiter is the value of a flag that takes a delimiter, or its name: a tab is
// hard to type.
type delimiter string

func (d *delimiter) String() string { return string(*d) }

func (*delimiter) Type() string { return "character" }

func (d *delimiter) Set(word string) error {
	named := map[string]string{"tab": "\t", `\t`: "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
	if character, ok := named[word]; ok {
		word = character
	}
	if err := CheckWord(word, []string{",", ";", "|", "\t", "auto"}); err != nil {
		return fmt.Errorf(`accepted are ",", ";", "|", tab and auto%s`, DidYouMean(word, []string{"tab", "comma", "semicolon", "pipe", "auto"}))
	}
	*d = delimiter(word)
	return nil
}
