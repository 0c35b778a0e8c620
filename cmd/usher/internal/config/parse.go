package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mayBeInFile reports whether the value may come from a file that …_FILE names:
// passwords, and URLs that may hold one.
func (s setting) mayBeInFile() bool { return s.secret || s.takes.isURL }

// variable is the environment variable that stands for the key.
func (s setting) variable() string {
	return "USHER_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// parse makes a value of the key's type of what a file, the environment or a
// flag says; name is who says it.
func (s setting) parse(name string, raw any) (any, error) {
	if list, ok := raw.([]any); ok {
		return s.parseList(name, list)
	}
	text := strings.TrimSpace(fmt.Sprint(raw))
	value, wants, err := s.convert(text)
	if s.takes.words != "" {
		wants = s.takes.words
	}
	if err == nil && (s.takes.holds == nil || s.takes.holds(value)) {
		return value, nil
	}
	shown := fmt.Sprintf("%q", text)
	switch {
	case s.secret:
		shown = "its value"
	case s.takes.isURL:
		shown = fmt.Sprintf("%q", HideLogin(text))
	}
	return nil, fmt.Errorf("%s takes %s, not %s", name, wants, shown)
}

// Check is an error unless text is a value of a key; name says where it comes
// from.
func Check(name, key, text string) error {
	_, err := settingOf(key).parse(name, text)
	return err
}

// parseList takes a list of words.
func (s setting) parseList(name string, list []any) (any, error) {
	if _, ok := s.value.([]string); !ok {
		return nil, fmt.Errorf("%s takes one value, not a list", name)
	}
	words := make([]string, len(list))
	for i, word := range list {
		text, ok := word.(string)
		if !ok {
			return nil, fmt.Errorf("%s takes a list of words; its item %d is none", name, i+1)
		}
		words[i] = text
	}
	return words, nil
}

// convert makes a value of the key's type, or says what that type is.
func (s setting) convert(text string) (value any, wants string, err error) {
	switch s.value.(type) {
	case bool:
		value, err = strconv.ParseBool(text)
		return value, "true or false", err
	case int:
		value, err = strconv.Atoi(text)
		return value, "a whole number", err
	case float64:
		value, err = strconv.ParseFloat(text, 64)
		return value, "a number", err
	case time.Duration:
		value, err = time.ParseDuration(text)
		return value, "a duration such as 30s, 10m or 24h", err
	case []string:
		words := strings.Split(text, ",")
		for i := range words {
			words[i] = strings.TrimSpace(words[i])
		}
		return slices.DeleteFunc(words, func(w string) bool { return w == "" }), "words with commas between them", nil
	}
	return text, "a word", nil
}
