package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CheckValue returns an error unless text is a value of the key. The error begins
// with name, the origin of the value.
func CheckValue(name, key, text string) error {
	_, err := settingOf(key).parse(name, text)
	return err
}

// parse converts a value from the file, the environment or a flag to the key's
// type. Its error begins with name, the origin of the value.
func (s setting) parse(name string, raw any) (any, error) {
	if list, ok := raw.([]any); ok {
		return s.parseList(name, list)
	}
	text := strings.TrimSpace(fmt.Sprint(raw))
	value, accepted, err := s.convert(text)
	if s.accepts.words != "" {
		accepted = s.accepts.words
	}
	if err == nil && (s.accepts.valid == nil || s.accepts.valid(value)) {
		return value, nil
	}
	shown := fmt.Sprintf("%q", text)
	switch {
	case s.secret:
		shown = "its value"
	case s.accepts.isURL:
		shown = fmt.Sprintf("%q", HideLogin(text))
	}
	return nil, fmt.Errorf("%s takes %s, not %s", name, accepted, shown)
}

// parseList converts a list of the file.
func (s setting) parseList(name string, list []any) (any, error) {
	if _, ok := s.value.([]string); !ok {
		return nil, fmt.Errorf("%s takes one value, not a list", name)
	}
	words := make([]string, len(list))
	for i, word := range list {
		text, ok := word.(string)
		if !ok {
			return nil, fmt.Errorf("%s takes a list of words; item %d is not a word", name, i+1)
		}
		words[i] = text
	}
	if s.accepts.valid != nil && !s.accepts.valid(words) {
		return nil, fmt.Errorf("%s takes %s, not %q", name, s.accepts.words, words)
	}
	return words, nil
}

// convert converts text to the key's type. accepted describes that type.
func (s setting) convert(text string) (value any, accepted string, err error) {
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
