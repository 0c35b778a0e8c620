package exports

import (
	"context"
	"fmt"
	"net/http"

	"usher"
)

// Probe says how a remote place answers, for `usher doctor`. Its error says what
// keeps exports from being read there.
func (o *Opener) Probe(ctx context.Context, place string) (string, error) {
	from := originOf(&usher.Source{URL: place})
	at, err := locate(from, &usher.Source{URL: place})
	if err != nil {
		return "", err
	}
	if err := o.options.Places.allow(from, at); err != nil {
		return "", err
	}
	p := &page{origin: from, client: o.web.client, url: at.request, places: o.options.Places}
	res, err := p.ask(ctx, "bytes=0-0")
	if err != nil {
		return "", from.judge(ctx, "open", err)
	}
	_ = res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError {
		return "", fmt.Errorf("its server answers %d", res.StatusCode)
	}
	return fmt.Sprintf("its server answers (%d)", res.StatusCode), nil
}
