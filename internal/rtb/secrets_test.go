package rtb_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"usher/internal/rtb"
)

const someDigest = "f2d1311ca5c1ecb214c19a26e9ddbad0"

func TestErrorsHideSecrets(t *testing.T) {
	t.Parallel()
	calls := map[string]func(ctx context.Context, c *rtb.Client) error{
		"login": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Auth.Token(ctx, "user-canary", "pass&word/1")
			return err
		},
		"user": func(ctx context.Context, c *rtb.Client) error {
			return c.Segments.RemoveUser(ctx, "1", rtb.TypeAndroidID, someDigest)
		},
	}
	secrets := map[string]string{"login": "pass&word/1 user-canary", "user": "token-canary-1"}
	for name, call := range calls {
		text := secrets[name] + " " + someDigest + " " + strings.ToUpper(someDigest) + " 6D92078A-8246-4BA4-AE5B-76104861E7DC " + `\u001b[31m\r\n` + strings.Repeat("long ", 1000)
		body := strings.ReplaceAll(`{"status":"error","message":"WORDS","code":"WORDS","data":{"errors":[{"code":"WORDS","description":"WORDS"}]}}`, "WORDS", text)
		for _, status := range []int{200, 400, 403, 404, 429, 500, 0} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				t.Parallel()
				c := newClient(t, rtb.Options{Tokens: tokens("token-canary-1")}, func(w http.ResponseWriter, _ *http.Request) {
					if status == 0 {
						panic(http.ErrAbortHandler)
					}
					w.WriteHeader(status)
					_, _ = io.WriteString(w, body)
				})
				err := call(t.Context(), c)
				if err == nil {
					t.Fatal("no error")
				}
				var fault *rtb.Fault
				shown := err.Error()
				if errors.As(err, &fault) {
					shown += fmt.Sprintf("%+v", *fault)
				}
				for _, secret := range []string{"token-canary", "user-canary", "pass", someDigest, strings.ToUpper(someDigest), "6D92078A", "\x1b", "\n"} {
					if strings.Contains(shown, secret) {
						t.Errorf("%q is in %q", secret, shown)
					}
				}
				if len(err.Error()) > 1000 {
					t.Errorf("the error has %d bytes", len(err.Error()))
				}
			})
		}
	}
}

// An id of which a text of the platform shows only the beginning, because the text is shortened, no longer looks like
// one. So it is hidden before that.
func TestErrorsHideIDsThatAreCut(t *testing.T) {
	t.Parallel()
	const uuid = "6d92078a-8246-4ba4-ae5b-76104861e7dc"
	for name, text := range map[string]string{
		"digest":           strings.Repeat("x", 289) + " " + someDigest,
		"uuid":             strings.Repeat("x", 270) + " " + uuid,
		"after others":     strings.Repeat(someDigest+",", 20_000),
		"after a long one": strings.Repeat("a", 64<<10-20) + "," + someDigest + "," + uuid,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, rtb.Options{Tokens: tokens("token-canary-1")}, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, strings.ReplaceAll(`{"status":"error","message":"WORDS","code":"E1","data":{"errors":[{"code":"E1","description":"WORDS"}]}}`, "WORDS", text))
			})
			err := c.Segments.RemoveUser(t.Context(), "1", rtb.TypeAndroidID, strings.Repeat("0", 32))
			var fault *rtb.Fault
			if !errors.As(err, &fault) {
				t.Fatal(err)
			}
			shown := fmt.Sprintf("%v %+v", err, *fault)
			for _, part := range []string{someDigest[:6], uuid[:8]} {
				if strings.Contains(shown, part) {
					t.Errorf("%q is in %q", part, shown)
				}
			}
			if len(err.Error()) > 1000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestInvalidInputsAreNotSent(t *testing.T) {
	t.Parallel()
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	ctx := t.Context()
	calls := map[string]func() error{
		"short digest": func() error {
			return errorOf(rtb.SegmentsAddUser.Do(ctx, c, rtb.SegmentUser{SegmentID: "1", SegmentType: "IDFA", UserID: someDigest[:31]}))
		},
		"not hex": func() error {
			return errorOf(rtb.SegmentsAddUser.Do(ctx, c, rtb.SegmentUser{SegmentID: "1", SegmentType: "IDFA", UserID: someDigest[:31] + "g"}))
		},
		"empty segment":  func() error { return errorOf(rtb.SegmentsDelete.Do(ctx, c, rtb.SegmentPath{SegmentID: ""})) },
		"dots":           func() error { return errorOf(rtb.SegmentsDelete.Do(ctx, c, rtb.SegmentPath{SegmentID: ".."})) },
		"empty campaign": func() error { return c.Campaigns.ClearMobileTargets(ctx, "") },
		"long code": func() error {
			err := errorOf(rtb.CampaignsPut.Do(ctx, c, rtb.CampaignDefinition{CampaignCode: "SANDBOX1-" + strings.Repeat("a", 24), Campaign: rtb.Campaign{}}))
			return err
		},
		"invalid character": func() error {
			return errorOf(rtb.CampaignsPut.Do(ctx, c, rtb.CampaignDefinition{CampaignCode: "SANDBOX1-a_b", Campaign: rtb.Campaign{}}))
		},
		"other advertiser": func() error {
			return errorOf(rtb.CampaignsPut.Do(ctx, c, rtb.CampaignDefinition{CampaignCode: "OTHER-a", Campaign: rtb.Campaign{}}))
		},
	}
	for name, call := range calls {
		err := call()
		var input *rtb.InputError
		if !strings.HasPrefix(verdict(err), "permanent invalid_job") || !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), someDigest[:31]) {
			t.Errorf("%s: the digest is in %q", name, err)
		}
	}
}

func TestPathValuesAreEscaped(t *testing.T) {
	t.Parallel()
	var path string
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.EscapedPath()
		_, _ = io.WriteString(w, `{"status":"success"}`)
	})
	if err := c.Campaigns.Lock(t.Context(), "a/../b?c#d%2F"); err != nil {
		t.Fatal(err)
	}
	if want := "/v3/campaigns/a%2F..%2Fb%3Fc%23d%252F/lock"; path != want {
		t.Errorf("sent %s, want %s", path, want)
	}
}
