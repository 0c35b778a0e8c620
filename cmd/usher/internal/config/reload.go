package config

import (
	"os"
	"reflect"
	"sync"

	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
)

// source is where a configuration was loaded from.
type source struct {
	cmd    *cobra.Command
	getenv func(string) (string, bool)

	mu   sync.Mutex
	last *koanf.Koanf // the last configuration that was valid
}

// Reload loads the configuration again, with the current contents of the configuration file
// and of the files that _FILE variables name. If that fails, it returns the last configuration
// that was valid, and the error. If Load did not return c, or Fixed did, Reload returns c.
func (c Config) Reload() (Config, error) {
	if c.source == nil {
		return c, nil
	}
	c.source.mu.Lock()
	defer c.source.mu.Unlock()
	now, err := load(c.source.cmd, c.source.getenv)
	if err == nil {
		c.source.last = now.Koanf
	}
	return Config{Koanf: c.source.last, source: c.source}, err
}

// Fixed returns c as a configuration that Reload does not load again, because its caller has
// changed it.
func (c Config) Fixed() Config { return Config{Koanf: c.Koanf} }

// Files returns the paths of the files that Reload reads. They need not exist.
func (c Config) Files() []string {
	if c.source == nil {
		return nil
	}
	path, _ := configFile(c.source.cmd)
	paths := []string{path}
	for _, s := range settings() {
		if path, set := c.source.getenv(s.variable() + "_FILE"); set && s.hasFileVariable() {
			paths = append(paths, path)
		}
	}
	return paths
}

// Configured reports whether a configuration file was read, or nats.url differs from its default.
func (c Config) Configured() bool {
	if c.String("nats.url") != settingOf("nats.url").value {
		return true
	}
	if c.source == nil {
		return false
	}
	path, _ := configFile(c.source.cmd)
	_, err := os.Stat(path)
	return err == nil
}

// Given reports whether the file, the environment or a flag has a key, also with its default.
func (c Config) Given(key string) bool {
	if c.source == nil {
		return false
	}
	given := koanf.New(".")
	_ = loadGiven(given, c.source.cmd, c.source.getenv) // Load has returned the error, if there is one
	return given.Exists(key)
}

// Changed returns the keys whose values differ between two configurations, in the order of the
// example file.
func (c Config) Changed(other Config) []string {
	var keys []string
	for _, s := range settings() {
		if !reflect.DeepEqual(c.Get(s.key), other.Get(s.key)) {
			keys = append(keys, s.key)
		}
	}
	return keys
}
