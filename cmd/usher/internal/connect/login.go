package connect

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/internal/rtb"
)

// Login is who calls whom.
type Login struct{ Base, Username, password, Advertiser string }

func LoginOf(cmd *cobra.Command, cfg config.Config) Login {
	login := Login{
		Base: cfg.String("platform.url"), Username: cfg.String("platform.username"),
		password: cfg.String("platform.password"), Advertiser: cfg.String("platform.advertiser"),
	}
	for flag, into := range map[string]*string{"login-username": &login.Username, "login-advertiser": &login.Advertiser} {
		if text, err := cmd.Flags().GetString(flag); err == nil && text != "" {
			*into = text
		}
	}
	return login
}

// Client is a client with a token of its own.
func (l Login) Client(cfg config.Config) *rtb.Client {
	options := rtb.Options{BaseURL: l.Base, Advertiser: l.Advertiser, HTTP: rtb.NewHTTPClient(1, cfg.Duration("platform.timeout"))}
	enter := rtb.New(options)
	options.Tokens = rtb.NewTokens(func(ctx context.Context) (string, error) { return enter.Auth.Token(ctx, l.Username, l.password) })
	return rtb.New(options)
}

// HintFor is what to do about an error, where the platform's words do not say it.
func HintFor(err error, fault *rtb.Fault, login Login) string {
	var permanent *usher.Permanent
	var down *usher.Unavailable
	switch {
	case errors.Is(err, usher.ErrUnauthorized):
		return fmt.Sprintf("; check the login: user %q, advertiser %q (platform.username, platform.password, platform.advertiser)", login.Username, login.Advertiser)
	case errors.As(err, &permanent) && (permanent.Class == usher.NotFound || permanent.Class == usher.Forbidden):
		return "; " + permanent.Hint
	case errors.As(err, &down) && fault == nil:
		return fmt.Sprintf("; is it running at %s? See platform.url, or usher sandbox", config.HideLogin(login.Base))
	}
	return ""
}

// Paced is a client that keeps to the configured rate by itself: it shares no
// limit with workers.
func (l Login) Paced(cfg config.Config) *rtb.Client {
	const connections = 8
	options := rtb.Options{BaseURL: l.Base, Advertiser: l.Advertiser, HTTP: rtb.NewHTTPClient(connections, cfg.Duration("platform.timeout"))}
	enter := rtb.New(options)
	options.Tokens = rtb.NewTokens(func(ctx context.Context) (string, error) { return enter.Auth.Token(ctx, l.Username, l.password) })
	perSecond := cfg.Float64("platform.rate")
	options.Gate = rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond/10))).Wait
	return rtb.New(options)
}
