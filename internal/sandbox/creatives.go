package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // a format of creatives
	_ "image/jpeg" // a format of creatives
	_ "image/png"  // a format of creatives
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"usher/internal/sandbox/operations"
)

// creativeLimit is the maximum size of the file of a creative, in bytes.
const creativeLimit = 10 << 20

// readCreative reads the file of a field of a multipart form.
func readCreative(r *http.Request, field string) (*operations.Creative, error) {
	boundary, err := boundaryOf(r, field)
	if err != nil {
		return nil, err
	}
	parts := multipart.NewReader(http.MaxBytesReader(nil, r.Body, 2*creativeLimit), boundary)
	content, err := contentOf(parts, field)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, creativeTooLarge()
	case errors.Is(err, io.EOF):
		return nil, operations.Malformed("the multipart body has no file field named %s", field)
	case err != nil:
		return nil, operations.Truncated(err, "the multipart body is broken or ended early")
	}
	return newCreative(field, content)
}

// contentOf returns the content of the first file of a field, but at most creativeLimit + 1
// bytes. The error is io.EOF if there is no such file.
func contentOf(parts *multipart.Reader, field string) ([]byte, error) {
	for {
		part, err := parts.NextPart()
		if err != nil {
			return nil, err
		}
		if part.FormName() == field {
			return io.ReadAll(io.LimitReader(part, creativeLimit+1))
		}
	}
}

// newCreative checks the size and the format of a content. field names it in errors.
func newCreative(field string, content []byte) (*operations.Creative, error) {
	format := formatOf(content)
	switch {
	case len(content) > creativeLimit:
		return nil, creativeTooLarge()
	case format == "":
		return nil, operations.Invalid(field, "must be JPEG, GIF, PNG or SWF for Flash Player 8 or higher, judged by its content")
	}
	return &operations.Creative{Format: format, Bytes: int64(len(content))}, nil
}

func creativeTooLarge() error {
	return operations.TooLarge("a creative's file must have at most %d bytes", creativeLimit)
}

// minFlash is the lowest accepted version of Flash Player.
const minFlash = 8

// formatOf returns jpeg, gif, png or swf by a file's content, or "". It decodes only the
// header, so that no image is unpacked.
func formatOf(content []byte) string {
	if _, format, err := image.DecodeConfig(bytes.NewReader(content)); err == nil {
		return format
	}
	for _, magic := range []string{"FWS", "CWS", "ZWS"} { // plain, zlib, LZMA; then the version and four bytes of length
		if bytes.HasPrefix(content, []byte(magic)) && len(content) > 8 && content[3] >= minFlash {
			return "swf"
		}
	}
	return ""
}

// fetchTimeout bounds a fetch, including its redirects.
const fetchTimeout = 10 * time.Second

// fetchCreative gets a creative's file from an address. The address may be the sandbox's own,
// so the caller must not hold a lock that the sandbox needs to answer.
func fetchCreative(ctx context.Context, address string) (*operations.Creative, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return nil, operations.Invalid("url", "is required")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, operations.Invalid("url", "must be an address that begins with http:// or https://")
	}
	content, err := fetch(ctx, u)
	if err != nil {
		return nil, operations.Invalid("url", fmt.Sprintf("nothing could be fetched from %s: %v", u.Host, err))
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
