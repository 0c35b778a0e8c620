package rtb_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"usher"
	"usher/internal/rtb"
)

// A client logs in and reads a segment. The error for a segment that does not exist is a
// *usher.Permanent of class not_found.
func ExampleClient() {
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v3/oauth/accessToken":
			fmt.Fprint(w, `{"status":"success","data":{"accessToken":"token"}}`)
		case "/v3/segments/17":
			fmt.Fprint(w, `{"status":"success","data":{"segment":{"id":"17","name":"iOS customers","type":"IDFA"}}}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"status":"error","message":"segment 18 is unknown","code":"E10404"}`)
		}
	}))
	defer platform.Close()
	client := rtb.NewWithLogin(rtb.Options{BaseURL: platform.URL, Advertiser: "SANDBOX1"}, "ada", "secret")

	segment, err := client.Segments.Get(context.Background(), "17")
	fmt.Println(segment.Name, segment.Type, err)

	_, err = client.Segments.Get(context.Background(), "18")
	var permanent *usher.Permanent
	if errors.As(err, &permanent) {
		fmt.Println(permanent.Class)
		fmt.Println(err)
	}
	// Output:
	// iOS customers IDFA <nil>
	// not_found
	// segments.get on /v3/segments/18: the platform answered 404 E10404: segment 18 is unknown
}
