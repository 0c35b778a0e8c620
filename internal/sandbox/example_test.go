package sandbox_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// A sandbox is an http.Handler, which any client of the platform can call.
func Example() {
	s, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	server := httptest.NewServer(s)
	defer server.Close()
	client := rtb.NewWithLogin(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1"}, "sandbox", "sandbox")

	segments, err := client.Segments.List(context.Background())
	for _, segment := range segments {
		fmt.Println(segment.ID, segment.Name, segment.Type)
	}
	fmt.Println(err)
	// Output:
	// 1 iOS customers IDFA
	// 2 Android customers ANDROID_ID
	// 3 Product page visitors VIEW
	// 4 iOS newsletter IDFA
	// <nil>
}
