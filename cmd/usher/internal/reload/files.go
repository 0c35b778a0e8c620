package reload

import (
	"crypto/sha256"
	"strings"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/console"
)

// files are files that belong together, such as a certificate and its key.
type files struct {
	keys  []string // of the configuration, which name the files
	paths []string
	check func() error // returns why the content is not valid
	until string       // what happens until it is valid

	sum    [sha256.Size]byte // of the contents
	failed string            // the error that was logged last
}

// kept says that usher continues with what it has read.
const kept = "the last valid content stays in use"

// filesOf returns the files that a configuration names.
func filesOf(c config.Config) []*files {
	var all []*files
	add := func(until string, check func() error, keys ...string) {
		f := &files{until: until, check: check}
		for _, key := range keys {
			if path := c.String(key); path != "" {
				f.keys, f.paths = append(f.keys, key), append(f.paths, path)
			}
		}
		if len(f.keys) > 0 {
			f.sum = f.read()
			all = append(all, f)
		}
	}
	for _, section := range []string{"nats", "redis", "platform"} {
		add(kept, func() error { _, err := connect.ClientTLS(c, section); return err }, section+".ca", section+".cert", section+".key")
	}
	for _, section := range []string{"console", "intake"} {
		add(kept, func() error { _, err := connect.Certificate(c, section); return err }, section+".tls_cert", section+".tls_key")
	}
	add(kept, func() error { return connect.CheckCredentials(c.String("nats.credentials")) }, "nats.credentials")
	add(kept, func() error { return connect.CheckRoots(c.String("sources.https_ca")) }, "sources.https_ca")
	add(kept, func() error { return connect.CheckRoots(c.String("alerts.smtp_ca")) }, "alerts.smtp_ca")
	add("nobody can log in to the console", func() error { _, err := console.OpenUsers(c.String("console.users")); return err }, "console.users")
	add("jobs over HTTP are refused", func() error { _, err := connect.ReadSecret(c.String("intake.tokens")); return err }, "intake.tokens")
	return all
}

// read returns a checksum of the contents. A file that cannot be read counts as empty.
func (f *files) read() [sha256.Size]byte {
	var all strings.Builder
	for _, path := range f.paths {
		data, _ := connect.ReadSecret(path) // check reports the error
		sum := sha256.Sum256(data)
		all.Write(sum[:])
	}
	return sha256.Sum256([]byte(all.String()))
}
