package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"usher/cmd/usher/internal/command"
)

// configFile is read where it is and no other was named.
const configFile = "usher.yaml"

// Config is what was configured, key by key. Its accessors take the keys of
// settings.go.
type Config struct{ *koanf.Koanf }

// connectionFlags are the flags that stand for keys; further keys come from
// the environment or the file.
func connectionFlags() []struct{ flag, key string } {
	return []struct{ flag, key string }{
		{"nats", "nats.url"}, {"redis", "redis.url"}, {"platform", "platform.url"},
		{"username", "platform.username"}, {"advertiser", "platform.advertiser"},
		{"namespace", "namespace"}, {"log-level", "log.level"}, {"log-format", "log.format"},
	}
}

// keyAnnotation marks the flags that stand for keys: usher dev has flags of the
// same names that do not.
const keyAnnotation = "key"

// AddFlags gives a command --config and those connection flags whose
// keys it uses.
func AddFlags(cmd *cobra.Command, flags ...string) {
	cmd.Flags().String("config", "", "configuration file (default ./"+configFile+" where there is one)")
	for _, f := range connectionFlags() {
		if slices.Contains(flags, f.flag) {
			s := settingOf(f.key)
			cmd.Flags().String(f.flag, fmt.Sprint(s.value), s.about+" ("+f.key+")")
			// It fails only for a flag that there is not.
			_ = cmd.Flags().SetAnnotation(f.flag, keyAnnotation, []string{f.key})
		}
	}
}

// Load reads a command's configuration: flag, environment, file,
// default, the first that says something.
func Load(cmd *cobra.Command, getenv func(string) (string, bool)) (Config, error) {
	c, err := Defaults()
	if err != nil {
		return Config{}, err
	}
	ko := c.Koanf
	if err := loadFile(ko, cmd); err != nil {
		return Config{}, err
	}
	if err := loadEnvironment(ko, getenv); err != nil {
		return Config{}, err
	}
	return Config{ko}, loadFlags(ko, cmd)
}

// Defaults is the configuration in which nobody has said anything.
func Defaults() (Config, error) {
	ko := koanf.New(".")
	layer := map[string]any{}
	for _, s := range settings() {
		layer[s.key] = s.value
	}
	if err := ko.Load(confmap.Provider(layer, "."), nil); err != nil {
		return Config{}, fmt.Errorf("load defaults: %w", err)
	}
	return Config{ko}, nil
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
	values := read.All()
	for _, key := range slices.Sorted(maps.Keys(values)) { // in order: the same mistake is the same message
		if err := takeKey(ko, key, values[key]); err != nil {
			return fmt.Errorf("read configuration %s: %w", path, err)
		}
	}
	return nil
}

// takeKey takes a key over from the file.
func takeKey(ko *koanf.Koanf, key string, raw any) error {
	var keys []string
	for _, s := range settings() {
		keys = append(keys, s.key)
		switch section := strings.HasPrefix(s.key, key+"."); {
		case section && raw == nil: // all that stood in it is commented out
			return nil
		case section:
			return fmt.Errorf("key %s holds other keys, such as %s: it takes no value of its own", key, s.key)
		case s.key == key && raw == nil:
			return fmt.Errorf("key %s has no value: give one, or leave the key out", key)
		case s.key == key:
			value, err := s.parse("key "+key, raw)
			if err != nil {
				return err
			}
			return ko.Set(key, value)
		}
	}
	return fmt.Errorf("there is no key %q (deploy/usher.yaml has them all)%s", key, command.DidYouMean(key, keys))
}

func loadEnvironment(ko *koanf.Koanf, getenv func(string) (string, bool)) error {
	for _, s := range settings() {
		name := s.variable()
		text, found := getenv(name)
		if path, ok := getenv(name + "_FILE"); ok && s.mayBeInFile() {
			if found {
				return fmt.Errorf("read the environment: %s and %s_FILE are both set: set one of them", name, name)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("read %s_FILE: %w", name, err)
			}
			text, found = strings.TrimRight(string(data), "\r\n"), true
		}
		if !found {
			continue
		}
		value, err := s.parse(name, text)
		if err != nil {
			return fmt.Errorf("read the environment: %w", err)
		}
		if err := ko.Set(s.key, value); err != nil {
			return fmt.Errorf("read environment %s: %w", name, err)
		}
	}
	return nil
}

func loadFlags(ko *koanf.Koanf, cmd *cobra.Command) error {
	var wrong error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		key := f.Annotations[keyAnnotation]
		if wrong != nil || len(key) == 0 {
			return
		}
		value, err := settingOf(key[0]).parse("flag --"+f.Name, f.Value.String())
		if err != nil {
			wrong = &command.ExitError{Code: command.UsageError, Err: err}
			return
		}
		wrong = ko.Set(key[0], value)
	})
	return wrong
}

// StrayVariables are variables of the environment that look like those of keys
// and are not: a warning each. Others may be somebody else's.
func StrayVariables(environ []string) []string {
	var known, strays []string
	for _, s := range settings() {
		known = append(known, s.variable())
		if s.mayBeInFile() {
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
			strays = append(strays, fmt.Sprintf("%s is no key's variable and has no effect; did you mean %s?", name, near))
		}
	}
	return strays
}
