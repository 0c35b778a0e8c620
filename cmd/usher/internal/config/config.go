package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// defaultFile is read if it exists and --config names no other file.
const defaultFile = "usher.yaml"

// Config is the configuration. Its accessors take the keys of settings.go.
type Config struct {
	*koanf.Koanf
	source *source // nil: the configuration never changes
}

// connectionFlags returns the flags that set a key. The other keys can be set only in the
// environment or in the file.
func connectionFlags() []struct{ flag, key string } {
	return []struct{ flag, key string }{
		{"nats", "nats.url"}, {"redis", "redis.url"}, {"platform", "platform.url"},
		{"username", "platform.username"}, {"advertiser", "platform.advertiser"},
		{"namespace", "namespace"}, {"log-level", "log.level"}, {"log-format", "log.format"},
	}
}

// keyAnnotation marks the flags that set a key: usher dev has flags of the same
// names that do not.
const keyAnnotation = "key"

// AddFlags adds --config and the given connection flags to cmd.
func AddFlags(cmd *cobra.Command, flags ...string) {
	cmd.Flags().String("config", "", "configuration file (default ./"+defaultFile+" if it exists)")
	for _, f := range connectionFlags() {
		if slices.Contains(flags, f.flag) {
			s := settingOf(f.key)
			about := strings.ReplaceAll(s.about, "`", "") // pflag would take a quoted word for the name of the value
			cmd.Flags().String(f.flag, fmt.Sprint(s.value), about+" ("+f.key+")")
			// It fails only if the flag does not exist.
			_ = cmd.Flags().SetAnnotation(f.flag, keyAnnotation, []string{f.key})
		}
	}
}

// Load returns a command's configuration. Flags override environment variables,
// these override the file, and the file overrides the defaults.
func Load(cmd *cobra.Command, getenv func(string) (string, bool)) (Config, error) {
	c, err := load(cmd, getenv)
	if err != nil {
		return c, err
	}
	c.source = &source{cmd: cmd, getenv: getenv, last: c.Koanf}
	return c, nil
}

func load(cmd *cobra.Command, getenv func(string) (string, bool)) (Config, error) {
	c, err := Defaults()
	if err != nil {
		return Config{}, err
	}
	if err := loadGiven(c.Koanf, cmd, getenv); err != nil {
		return Config{}, err
	}
	return c, nil
}

// loadGiven loads what the file, the environment and the flags have.
func loadGiven(ko *koanf.Koanf, cmd *cobra.Command, getenv func(string) (string, bool)) error {
	if err := loadFile(ko, cmd); err != nil {
		return err
	}
	if err := loadEnvironment(ko, getenv); err != nil {
		return err
	}
	return loadFlags(ko, cmd)
}

// Defaults returns the configuration with the default of every key.
func Defaults() (Config, error) {
	ko := koanf.New(".")
	defaults := map[string]any{}
	for _, s := range settings() {
		defaults[s.key] = s.value
	}
	if err := ko.Load(confmap.Provider(defaults, "."), nil); err != nil {
		return Config{}, fmt.Errorf("load defaults: %w", err)
	}
	return Config{Koanf: ko}, nil
}

// configFile returns the path of the configuration file, and whether --config names it.
func configFile(cmd *cobra.Command) (path string, named bool) {
	if f := cmd.Flags().Lookup("config"); f != nil && f.Changed {
		return f.Value.String(), true
	}
	return defaultFile, false
}

func loadFile(ko *koanf.Koanf, cmd *cobra.Command) error {
	path, named := configFile(cmd)
	read := koanf.New(".")
	err := read.Load(file.Provider(path), yaml.Parser())
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if _, unread := errors.AsType[*fs.PathError](err); unread {
		return fmt.Errorf("read configuration (--config): %w", command.FileError(path, err))
	}
	if err != nil {
		return fmt.Errorf("read configuration %s: %w", path, err)
	}
	values := read.All()
	for _, key := range slices.Sorted(maps.Keys(values)) { // sorted, so that a file always has the same error
		if err := setKey(ko, key, values[key]); err != nil {
			return fmt.Errorf("read configuration %s: %w", path, err)
		}
	}
	return nil
}

// setKey sets a key of the file.
func setKey(ko *koanf.Koanf, key string, raw any) error {
	var keys []string
	for _, s := range settings() {
		keys = append(keys, s.key)
		switch isSection := strings.HasPrefix(s.key, key+"."); {
		case isSection && raw == nil: // all keys of the section are commented out
			return nil
		case isSection:
			return fmt.Errorf("key %s contains other keys, such as %s, and takes no value itself", key, s.key)
		case s.key == key && raw == nil:
			return fmt.Errorf("key %s has no value: give one, or remove the key", key)
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

func loadFlags(ko *koanf.Koanf, cmd *cobra.Command) error {
	var failed error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		key := f.Annotations[keyAnnotation]
		if failed != nil || len(key) == 0 {
			return
		}
		value, err := settingOf(key[0]).parse("flag --"+f.Name, f.Value.String())
		if err != nil {
			failed = command.Usagef("%w", err)
			return
		}
		failed = ko.Set(key[0], value)
	})
	return failed
}
