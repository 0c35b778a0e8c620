package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// configFile is read where it is and no other was named.
const configFile = "usher.yaml"

// config is what was configured, key by key. Its accessors take the keys of
// settings.go.
type config struct{ *koanf.Koanf }

// connectionFlags are the flags that stand for keys; further keys come from
// the environment or the file.
func connectionFlags() []struct{ flag, key string } {
	return []struct{ flag, key string }{
		{"nats", "nats.url"}, {"redis", "redis.url"}, {"platform", "platform.url"},
		{"username", "platform.username"}, {"advertiser", "platform.advertiser"},
		{"namespace", "namespace"}, {"log-level", "log.level"}, {"log-format", "log.format"},
	}
}

// addConfigFlags gives a command --config and those connection flags whose
// keys it uses.
func addConfigFlags(cmd *cobra.Command, flags ...string) {
	cmd.Flags().String("config", "", "configuration file (default ./"+configFile+" where there is one)")
	about := map[string]setting{}
	for _, s := range settings() {
		about[s.key] = s
	}
	for _, f := range connectionFlags() {
		if slices.Contains(flags, f.flag) {
			s := about[f.key]
			cmd.Flags().String(f.flag, fmt.Sprint(s.value), s.about+" ("+f.key+")")
		}
	}
}

// loadConfig reads a command's configuration: flag, environment, file,
// default, the first that says something.
func loadConfig(cmd *cobra.Command, getenv func(string) (string, bool)) (config, error) {
	c, err := loadDefaults()
	if err != nil {
		return config{}, err
	}
	ko := c.Koanf
	if err := loadFile(ko, cmd); err != nil {
		return config{}, err
	}
	if err := loadEnvironment(ko, getenv); err != nil {
		return config{}, err
	}
	return config{ko}, loadFlags(ko, cmd)
}

// loadDefaults is the configuration in which nobody has said anything.
func loadDefaults() (config, error) {
	ko := koanf.New(".")
	layer := map[string]any{}
	for _, s := range settings() {
		layer[s.key] = s.value
	}
	if err := ko.Load(confmap.Provider(layer, "."), nil); err != nil {
		return config{}, fmt.Errorf("load defaults: %w", err)
	}
	return config{ko}, nil
}

func loadFile(ko *koanf.Koanf, cmd *cobra.Command) error {
	path, asked := configFile, false
	if f := cmd.Flags().Lookup("config"); f != nil && f.Changed {
		path, asked = f.Value.String(), true
	}
	read := koanf.New(".")
	err := read.Load(file.Provider(path), yaml.Parser())
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read configuration %s: %w", path, err)
	}
	known := map[string]setting{}
	var keys []string
	for _, s := range settings() {
		known[s.key] = s
		keys = append(keys, s.key)
	}
	for key, value := range read.All() {
		s, ok := known[key]
		if !ok {
			return fmt.Errorf("read configuration %s: unknown key %q%s; docs: deploy/usher.yaml has every key", path, key, didYouMean(key, keys))
		}
		if value, err = s.parse(value); err != nil {
			return fmt.Errorf("read configuration %s: %w", path, err)
		}
		if err := ko.Set(key, value); err != nil {
			return fmt.Errorf("read configuration %s: %w", path, err)
		}
	}
	return nil
}

func loadEnvironment(ko *koanf.Koanf, getenv func(string) (string, bool)) error {
	for _, s := range settings() {
		name := s.variable()
		text, found := getenv(name)
		if path, ok := getenv(name + "_FILE"); ok && s.secret && !found {
			data, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("read %s_FILE: %w", name, err)
			}
			text, found = strings.TrimRight(string(data), "\r\n"), true
		}
		if !found {
			continue
		}
		value, err := s.parse(text)
		if err != nil {
			return fmt.Errorf("read environment %s: %w", name, err)
		}
		if err := ko.Set(s.key, value); err != nil {
			return fmt.Errorf("read environment %s: %w", name, err)
		}
	}
	return nil
}

func loadFlags(ko *koanf.Koanf, cmd *cobra.Command) error {
	for _, f := range connectionFlags() {
		flag := cmd.Flags().Lookup(f.flag)
		if flag == nil || !flag.Changed || flag.Value.Type() != "string" {
			continue
		}
		if err := ko.Set(f.key, flag.Value.String()); err != nil {
			return fmt.Errorf("read flag --%s: %w", f.flag, err)
		}
	}
	return nil
}

// variable is the environment variable that stands for the key.
func (s setting) variable() string {
	return "USHER_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// parse makes a value of the key's type of what a file or the environment
// says.
func (s setting) parse(raw any) (any, error) {
	if list, ok := raw.([]any); ok {
		if _, ok := s.value.([]string); !ok {
			return nil, fmt.Errorf("key %s takes one value, not a list", s.key)
		}
		words := make([]string, len(list))
		for i, word := range list {
			words[i] = fmt.Sprint(word)
		}
		return words, nil
	}
	text := strings.TrimSpace(fmt.Sprint(raw))
	shown := fmt.Sprintf("%q", text)
	if s.secret {
		shown = "its value"
	}
	var value any
	var err error
	wants := ""
	switch s.value.(type) {
	case int:
		value, err = strconv.Atoi(text)
		wants = "a whole number"
	case float64:
		value, err = strconv.ParseFloat(text, 64)
		wants = "a number"
	case time.Duration:
		value, err = time.ParseDuration(text)
		wants = "a duration such as 30s, 10m or 24h"
	case []string:
		value = strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	default:
		value = text
	}
	if err != nil {
		return nil, fmt.Errorf("key %s takes %s, not %s", s.key, wants, shown)
	}
	return value, nil
}

// didYouMean is "; did you mean …?" with the nearest choice, or nothing.
func didYouMean(word string, choices []string) string {
	probe := &cobra.Command{}
	for _, choice := range choices {
		probe.AddCommand(&cobra.Command{Use: choice, Run: func(*cobra.Command, []string) {}})
	}
	// Cobra suggests all up to a distance, in no order: the first that come up as
	// it grows are the nearest.
	for probe.SuggestionsMinimumDistance = 1; probe.SuggestionsMinimumDistance <= 3; probe.SuggestionsMinimumDistance++ {
		if near := probe.SuggestionsFor(word); len(near) > 0 {
			return fmt.Sprintf("; did you mean %q?", near[0])
		}
	}
	return ""
}

// suggestFlag is the nearest flag to the one that an error names.
func suggestFlag(cmd *cobra.Command, err error) string {
	_, word, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := didYouMean(word, names)
	return strings.Replace(near, `"`, `"--`, 1)
}

// acceptedBy makes an error of a flag's value say what the flag takes, where
// the flag library only says that it could not parse it.
func acceptedBy(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	wants := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint": "a whole number from 0 on",
		"float64": "a number", "duration": "a duration such as 500ms, 30s or 24h", "bool": "true or false",
	}[invalid.GetFlag().Value.Type()]
	if wants == "" {
		return err
	}
	return fmt.Errorf("invalid argument %q for --%s: it takes %s", invalid.GetValue(), invalid.GetFlag().Name, wants)
}
