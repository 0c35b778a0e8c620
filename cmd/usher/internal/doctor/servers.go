package doctor

import (
	"context"
	"fmt"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/rtb"
	"usher/queues"
)

func (e *examination) examinePlatform(ctx context.Context) []queues.Finding {
	c := e.config
	base, user, advertiser := c.String("platform.url"), c.String("platform.username"), c.String("platform.advertiser")
	ctx, cancel := context.WithTimeout(ctx, e.limits.check)
	defer cancel()
	secure, err := connect.ClientTLS(c, "platform")
	if err != nil {
		return []queues.Finding{finding("platform", err, "")}
	}
	client := rtb.New(rtb.Options{BaseURL: base, Advertiser: advertiser, HTTP: rtb.NewHTTPClient(1, time.Minute, secure), Observe: e.clocks.observe})
	_, err = client.Auth.Token(ctx, user, c.String("platform.password"))
	if err != nil {
		hint := connect.Login{Base: base, Username: user, Advertiser: advertiser}.Hint(err)
		err = fmt.Errorf("log in as %q of %s at %s: %w%s", user, advertiser, config.HideLogin(base), err, hint)
	}
	return []queues.Finding{finding("platform", err, fmt.Sprintf("logged in as %q of %s at %s", user, advertiser, config.HideLogin(base))), e.encryptionOf("the platform", "platform.url", "write https:// in platform.url")}
}
