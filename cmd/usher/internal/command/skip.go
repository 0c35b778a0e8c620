package command

import (
	"errors"
	"strconv"

	"usher"
)

// skip is the value of the flag for the lines that are not rows.
type skip usher.Skip

func (s *skip) String() string { return usher.Skip(*s).String() }

// word returns the value of the flag, or "" if nothing is skipped.
func (s *skip) word() string {
	if *s == (skip{}) {
		return ""
	}
	return s.String()
}

func (*skip) Type() string { return "lines" }

func (s *skip) Set(word string) error {
	*s = skip{}
	if n, err := strconv.Atoi(word); err == nil {
		if n < 0 {
			return errors.New("accepted are a number of lines, 0 or more, and the text that the lines begin with")
		}
		s.Lines = n
		return nil
	}
	s.Prefix = word
	return nil
}
