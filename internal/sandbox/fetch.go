package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// fetchTimeout is how long a file may take to come, redirects included.
const fetchTimeout = 10 * time.Second

// fetchAsset gets a creative's file from elsewhere. It is called without
// Sandbox.mu: the address may be the sandbox's own.
func fetchAsset(ctx context.Context, address string) (*assetFile, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return nil, invalid("url", "is required")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, invalid("url", "must be an address that begins with http:// or https://")
	}
	content, err := fetch(ctx, u)
	if err != nil {
		return nil, invalid("url", fmt.Sprintf("nothing could be fetched from %s: %v", u.Host, err))
	}
	return newAssetFile("url", content)
}

// fetch reads at most a byte more than a file may have. Its errors do not
// repeat the address, whose query may hold a secret.
func fetch(ctx context.Context, u *url.URL) ([]byte, error) {
	transport := &http.Transport{
		DialContext:       (&net.Dialer{Timeout: fetchTimeout, ControlContext: onlyPublic}).DialContext,
		DisableKeepAlives: true,
	}
	client := &http.Client{Transport: transport, Timeout: fetchTimeout}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errors.New("the address cannot be used")
	}
	response, err := client.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // what was to be read was read
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %d", response.StatusCode)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, assetLimit+1))
	if err != nil {
		return nil, errors.New("the file ended early")
	}
	return content, nil
}

// onlyPublic keeps a caller from reaching through the sandbox into the network
// that it runs in: it connects to public addresses, and to this machine's own.
func onlyPublic(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errors.New("its address cannot be read")
	}
	ip := at.Addr().Unmap()
	if !ip.IsLoopback() && (!ip.IsGlobalUnicast() || ip.IsPrivate()) {
		return errors.New("its address is neither public nor this machine's own")
	}
	return nil
}
