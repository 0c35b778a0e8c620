package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/knadh/koanf/v2"

	"usher/cmd/usher/internal/command"
)

// variable returns the name of the key's environment variable.
func (s setting) variable() string {
	return "USHER_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// hasFileVariable reports whether the value may also be read from the file that the
// variable with the suffix _FILE names. It is true for passwords, and for URLs, which may
// contain one.
func (s setting) hasFileVariable() bool { return s.secret || s.accepts.isURL }

func loadEnvironment(ko *koanf.Koanf, getenv func(string) (string, bool)) error {
	for _, s := range settings() {
		text, found, err := s.lookup(getenv)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		value, err := s.parse(s.variable(), text)
		if err != nil {
			return fmt.Errorf("read the environment: %w", err)
		}
		if err := ko.Set(s.key, value); err != nil {
			return fmt.Errorf("read environment %s: %w", s.variable(), err)
		}
	}
	return nil
}

// lookup returns the value of the key's variable, or the content of the file that
// its _FILE variable names.
func (s setting) lookup(getenv func(string) (string, bool)) (text string, found bool, err error) {
	name := s.variable()
	text, found = getenv(name)
	path, inFile := getenv(name + "_FILE")
	if !inFile || !s.hasFileVariable() {
		return text, found, nil
	}
	if found {
		return "", false, fmt.Errorf("read the environment: %s and %s_FILE are both set: set one of them", name, name)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("read %s_FILE: %w", name, err)
	}
	return strings.TrimRight(string(data), "\r\n"), true, nil
}

// UnknownVariables returns a warning for each variable that sets no key, but whose name
// resembles that of one that does. Other variables that begin with USHER_ may belong to
// other programs.
func UnknownVariables(environ []string) []string {
	var known, warnings []string
	for _, s := range settings() {
		known = append(known, s.variable())
		if s.hasFileVariable() {
			known = append(known, s.variable()+"_FILE")
		}
	}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "USHER_") || slices.Contains(known, name) {
			continue
		}
		near := command.Nearest(name, known, 2)
		for _, k := range known { // USHER_LANES_BULK_SLOTS
			if strings.HasPrefix(name, k+"_") {
				near = k
			}
		}
		if near != "" {
			warnings = append(warnings, fmt.Sprintf("the environment variable %s sets no key and has no effect; did you mean %s?", name, near))
		}
	}
	return warnings
}
