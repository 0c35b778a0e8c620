package places

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"usher"
)

// web reads from https servers.
type web struct {
	places   *Allowed
	client   *http.Client
	patience patience
}

// maxHops is how many redirects are followed.
const maxHops = 5

func newWeb(places *Allowed, roots *x509.CertPool, private []netip.Prefix) *web {
	d := &dialer{Dialer: net.Dialer{Timeout: dialTime}, private: private}
	return &web{places: places, patience: defaultPatience, client: &http.Client{
		Transport: &http.Transport{
			// No proxy: what it connects to could not be judged. No HTTP/2: a
			// part has its connection to itself, and where an answer ends is
			// where the server ended it.
			DialContext:            d.dial,
			TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    dialTime,
			ResponseHeaderTimeout:  30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // its length and ETag would be another's
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			req.Header.Del("Referer") // its query may be a secret
			if len(via) > maxHops {
				return errHops
			}
			at, err := parseLocation(req.URL.String())
			if err != nil || at.scheme != "https" || places.allow("", at) != nil {
				return errOutside
			}
			return nil
		},
	}}
}

var (
	errHops    = errors.New("it is redirected too often")
	errOutside = errors.New("it is redirected out of the allowed places")
)

func (w *web) open(ctx context.Context, from Origin, at Location, first Range) (content, error) {
	if err := w.places.allow(from, at); err != nil {
		return nil, err
	}
	page := &page{Origin: from, client: w.client, url: at.request, places: w.places}
	r, err := openRanged(ctx, from, page.get, w.patience, first)
	if err != nil {
		return nil, err // not a *ranged that is nil
	}
	return r, nil
}

// close lets go of the connections that wait for further requests.
func (w *web) close() { w.client.CloseIdleConnections() }

// refusal judges an error of the way to a server; other errors it returns
// without the URL.
func (p *page) refusal(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errPrivate):
		return p.refusePrivate()
	case errors.Is(err, errOutside):
		return p.refused("give the URL that it leads to, or allow that place; allowed are: "+p.places.String(), "%s", errOutside)
	case errors.Is(err, errHops):
		return p.refused("give the URL that it leads to in the end", "%s", errHops)
	case errors.As(err, &untrusted):
		return p.permanent(usher.SourceRefused, "have the server's certificate renewed; for an authority of your own, set sources.https_ca", "open",
			"its server's certificate is not trusted: "+untrusted.Err.Error())
	case errors.Is(err, http.ErrSchemeMismatch):
		return p.refused("let the server speak TLS at that port", "its server does not speak TLS")
	}
	return err
}
