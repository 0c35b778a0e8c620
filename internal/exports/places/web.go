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
	"sync"
	"time"

	"usher"
)

// web reads from https servers.
type web struct {
	allowed  *Allowed
	roots    func() *x509.CertPool
	patience patience

	mu     sync.Mutex
	client *http.Client // for the roots that were current when the last file was opened
}

// maxRedirects is how many redirects are followed.
const maxRedirects = 5

func newWeb(allowed *Allowed, roots func() *x509.CertPool, private []netip.Prefix) *web {
	d := &dialer{Dialer: net.Dialer{Timeout: dialTime}, private: private}
	return &web{allowed: allowed, roots: roots, patience: defaultPatience, client: &http.Client{
		Transport: &http.Transport{
			// Without a proxy, since the address that it connects to could not be
			// checked. Without HTTP/2, so that each part has its own connection, and a
			// response ends where the server has ended it.
			DialContext:            d.dial,
			TLSClientConfig:        &tls.Config{RootCAs: roots(), MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    dialTime,
			ResponseHeaderTimeout:  30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // a compressed body has another length and ETag
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			req.Header.Del("Referer") // its query may be a secret
			if len(via) > maxRedirects {
				return errRedirects
			}
			at, err := parseLocation(req.URL.String())
			if err != nil || at.scheme != "https" || allowed.allow("", at) != nil {
				return errOutside
			}
			return nil
		},
	}}
}

var (
	errRedirects = errors.New("it is redirected too often")
	errOutside   = errors.New("it is redirected out of the allowed places")
)

func (w *web) open(ctx context.Context, from Origin, at Location, first Range) (content, error) {
	if err := w.allowed.allow(from, at); err != nil {
		return nil, err
	}
	file := w.file(from, at)
	r, err := openRanged(ctx, from, file.request, w.patience, first)
	if err != nil {
		return nil, err // not a nil *ranged in an interface
	}
	return r, nil
}

func (w *web) file(from Origin, at Location) *webFile {
	return &webFile{origin: from, client: w.currentClient(), url: at.request, allowed: w.allowed}
}

// currentClient returns a client that trusts the current roots.
func (w *web) currentClient() *http.Client {
	w.mu.Lock()
	defer w.mu.Unlock()
	transport, _ := w.client.Transport.(*http.Transport)
	if roots := w.roots(); roots != transport.TLSClientConfig.RootCAs {
		transport.CloseIdleConnections()
		transport = transport.Clone()
		transport.TLSClientConfig.RootCAs = roots
		w.client = &http.Client{Transport: transport, CheckRedirect: w.client.CheckRedirect}
	}
	return w.client
}

// close closes idle connections.
func (w *web) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.client.CloseIdleConnections()
}

// refusal returns the error for the job of a connection that failed. Other errors it
// returns without the URL.
func (f *webFile) refusal(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errPrivate):
		return f.origin.private()
	case errors.Is(err, errOutside):
		return f.origin.refused("give the URL that it leads to, or allow that place; allowed are: "+f.allowed.String(), "%s", errOutside)
	case errors.Is(err, errRedirects):
		return f.origin.refused("give the final URL", "%s", errRedirects)
	case errors.As(err, &untrusted):
		return f.origin.permanent(usher.SourceRefused, "have the server's certificate renewed; for an authority of your own, set sources.https_ca", "open",
			"its server's certificate is not trusted: "+untrusted.Err.Error())
	case errors.Is(err, http.ErrSchemeMismatch):
		return f.origin.refused("let the server speak TLS at that port", "its server does not speak TLS")
	}
	return err
}
