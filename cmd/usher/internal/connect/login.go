package connect

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/internal/rtb"
)

// A Login is an account of the platform.
type Login struct{ Base, Username, password, Advertiser string }

// NewLogin returns the configured login, changed by the flags --login-username and
// --login-advertiser if cmd has them. It says on stderr which platform will be asked if that
// is the one of usher dev, and NATS is another one: then platform.url was probably forgotten.
func NewLogin(cmd *cobra.Command, c config.Config) Login {
	if !c.Given("platform.url") && !isDefault(c, "nats.url") {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: this asks the platform at %s, the default of platform.url, although nats.url is not the default: set platform.url (--platform, USHER_PLATFORM_URL) if you mean another one\n", c.String("platform.url"))
	}
	login := Login{
		Base: c.String("platform.url"), Username: c.String("platform.username"),
		password: c.String("platform.password"), Advertiser: c.String("platform.advertiser"),
	}
	for flag, into := range map[string]*string{"login-username": &login.Username, "login-advertiser": &login.Advertiser} {
		if text, err := cmd.Flags().GetString(flag); err == nil && text != "" {
			*into = text
		}
	}
	return login
}

// isDefault reports whether a key has its default.
func isDefault(c config.Config, key string) bool {
	defaults, err := config.Defaults()
	return err == nil && c.String(key) == defaults.String(key)
}

// Client returns a client for single calls, with its own token.
func (l Login) Client(c config.Config) (*rtb.Client, error) {
	options, err := l.options(c, 1)
	if err != nil {
		return nil, err
	}
	return rtb.NewWithLogin(options, l.Username, l.password), nil
}

// Observed returns a client as Client does, that calls observe after each request except
// those of the login.
func (l Login) Observed(c config.Config, observe func(rtb.Outcome)) (*rtb.Client, error) {
	options, err := l.options(c, 1)
	if err != nil {
		return nil, err
	}
	options.Observe = observe
	return rtb.NewWithLogin(options, l.Username, l.password), nil
}

// Paced returns a client that keeps to platform.rate. It does not share that limit
// with workers.
func (l Login) Paced(c config.Config) (*rtb.Client, error) {
	const connections = 8
	options, err := l.options(c, connections)
	if err != nil {
		return nil, err
	}
	perSecond := c.Float64("platform.rate")
	options.Gate = rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond/10))).Wait
	return rtb.NewWithLogin(options, l.Username, l.password), nil
}

func (l Login) options(c config.Config, connections int) (rtb.Options, error) {
	secure, err := ClientTLS(c, "platform")
	return rtb.Options{BaseURL: l.Base, Advertiser: l.Advertiser, HTTP: rtb.NewHTTPClient(connections, c.Duration("platform.timeout"), secure)}, err
}

// Hint returns what to do about an error of a call, or "" if the error says it itself.
func (l Login) Hint(err error) string {
	var permanent *usher.Permanent
	var unavailable *usher.Unavailable
	var fault *rtb.Fault
	switch {
	case errors.Is(err, usher.ErrUnauthorized):
		return fmt.Sprintf("; check the login: user %q, advertiser %q (platform.username, platform.password or the file of USHER_PLATFORM_PASSWORD_FILE, platform.advertiser)", l.Username, l.Advertiser)
	case errors.As(err, &permanent) && (permanent.Class == usher.NotFound || permanent.Class == usher.Forbidden):
		return "; " + permanent.Hint
	case errors.As(err, &unavailable) && !errors.As(err, &fault): // there was no response
		return fmt.Sprintf("; is it running at %s? See platform.url, or start usher dev", config.HideLogin(l.Base))
	}
	return ""
}
