package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/rtb"
	"usher/queues"
)

func (e *examination) examinePlatform(ctx context.Context) []queues.CheckResult {
	c := e.config
	base, user, advertiser := c.String("platform.url"), c.String("platform.username"), c.String("platform.advertiser")
	ctx, cancel := context.WithTimeout(ctx, e.limits.check)
	defer cancel()
	secure, err := connect.ClientTLS(c, "platform")
	if err != nil {
		return []queues.CheckResult{checked("platform", err, "")}
	}
	options := rtb.Options{BaseURL: base, Advertiser: advertiser, HTTP: rtb.NewHTTPClient(1, time.Minute, secure), Observe: e.clocks.observe}
	token, err := rtb.New(options).Auth.Token(ctx, user, c.String("platform.password"))
	if err != nil {
		hint := connect.Login{Base: base, Username: user, Advertiser: advertiser}.Hint(err)
		err = fmt.Errorf("log in as %q of %s at %s: %w%s", user, advertiser, config.HideLogin(base), err, hint)
	}
	results := []queues.CheckResult{checked("platform", err, fmt.Sprintf("logged in as %q of %s at %s", user, advertiser, config.HideLogin(base))), e.encryptionOf("the platform", "platform.url", "write https:// in platform.url")}
	if listed := c.Strings("platform.advertisers"); len(listed) > 0 && err == nil {
		options.Tokens = rtb.NewTokens(func(context.Context) (string, error) { return token, nil })
		results = append(results, examineAdvertisers(ctx, rtb.New(options), listed))
	}
	return results
}

// examineAdvertisers says which advertisers of the configuration the login is not linked to.
func examineAdvertisers(ctx context.Context, client *rtb.Client, listed []string) queues.CheckResult {
	linked, _, err := rtb.AdvertisersList.Do(ctx, client, rtb.Nothing{})
	if err != nil {
		err = fmt.Errorf("list the advertisers that the login is linked to: %w", err)
	}
	says := "jobs may name " + strings.Join(listed, ", ") + ", and those that rule files, feeds and lines of the token file name"
	missing := slices.DeleteFunc(slices.Clone(listed), func(code string) bool { return slices.Contains(linked.Advertisers, code) })
	if len(missing) > 0 {
		says = "warning: the login is not linked to " + strings.Join(missing, ", ") + ", so that their jobs fail: correct the codes, or have the login linked; " + says
	}
	return checked("platform.advertisers", err, says)
}
