package files

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

	"usher/internal/sandbox/envelope"
)

// fetchTimeout bounds a fetch, including its redirects.
const fetchTimeout = 10 * time.Second

// FetchCreative gets a creative's file from an address. The address may be the sandbox's own,
// so the caller must not hold a lock that the sandbox needs to answer.
func FetchCreative(ctx context.Context, address string) (*Creative, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return nil, envelope.Invalid("url", "is required")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, envelope.Invalid("url", "must be an address that begins with http:// or https://")
	}
	content, err := fetch(ctx, u)
	if err != nil {
		return nil, envelope.Invalid("url", fmt.Sprintf("nothing could be fetched from %s: %v", u.Host, err))
	}
	return newCreative("url", content)
}

// fetch returns at most creativeLimit + 1 bytes. Its errors do not repeat the address,
// because its query may have a secret.
func fetch(ctx context.Context, u *url.URL) ([]byte, error) {
	transport := &http.Transport{
		DialContext:       (&net.Dialer{Timeout: fetchTimeout, ControlContext: allowPublic}).DialContext,
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
	defer response.Body.Close() //nolint:errcheck // only read from
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %d", response.StatusCode)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, creativeLimit+1))
	if err != nil {
		return nil, errors.New("the file ended early")
	}
	return content, nil
}

// allowPublic allows connections to public addresses and to this machine, so that a caller
// cannot use the sandbox to reach a private network.
func allowPublic(_ context.Context, _, address string, _ syscall.RawConn) error {
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
