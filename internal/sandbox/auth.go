package sandbox

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"usher/internal/rtb"
)

// call is who asks, when, and what was uploaded.
type call struct {
	now        time.Time
	user       string
	advertiser string // the token's
	writes     bool
	printOnly  bool // of an upload nothing but the fingerprint is kept
	upload     *upload
	file       *assetFile // a creative's
	private    bool       // nobody between caller and sandbox can read along: TLS or loopback
	form       url.Values // as posted; nil: not read yet
	warnings   []note
}

func (w *world) login(c *call, in rtb.Credentials) (rtb.TokenAnswer, error) {
	for _, field := range [][2]string{{"username", in.Username}, {"password", in.Password}, {"advertiser", in.Advertiser}} {
		if field[1] == "" {
			return rtb.TokenAnswer{}, invalid(field[0], "is required")
		}
	}
	u, found := w.users.rows[in.Username]
	given := hashPassword(in.Username, in.Password)
	if !found || u.Gone || subtle.ConstantTimeCompare([]byte(given), []byte(u.Password)) != 1 {
		return rtb.TokenAnswer{}, failure{status: http.StatusUnauthorized, code: codeNoToken, message: "Username or password is wrong"}
	}
	if w.realm(in.Username, in.Advertiser) == "" {
		return rtb.TokenAnswer{}, forbidden()
	}
	text := newToken()
	changes := []change{w.tokens.put(hashToken(text), token{in.Username, in.Advertiser, c.now.Add(w.o.TokenTTL)})}
	for key, old := range w.tokens.rows {
		if !c.now.Before(old.Until) {
			changes = append(changes, w.tokens.drop(key))
		}
	}
	c.user, c.advertiser = in.Username, in.Advertiser
	return rtb.TokenAnswer{AccessToken: text}, w.commit(nil, changes...)
}

// authenticate finds out who asks.
func (w *world) authenticate(c *call, header string) error {
	scheme, text, _ := strings.Cut(header, " ")
	t, found := w.tokens.rows[hashToken(strings.TrimSpace(text))]
	if !strings.EqualFold(scheme, "Bearer") || !found || !c.now.Before(t.Until) {
		return unauthenticated()
	}
	if w.users.rows[t.User].Gone {
		return unauthenticated()
	}
	c.user, c.advertiser = t.User, t.Advertiser
	return w.reach(c, t.Advertiser)
}

// reach checks that the caller may do what it does to something of advertiser.
func (w *world) reach(c *call, advertiser string) error {
	realm := w.realm(c.user, advertiser)
	if realm == "" || c.writes && realm == rtb.RealmView {
		return forbidden()
	}
	return nil
}

// realm is the realm of the user's link to an advertiser, empty where there is
// none. An AGENCYADMIN of an advertiser is one of those below it, too.
func (w *world) realm(username, advertiser string) string {
	links := w.users.rows[username].Links
	if realm := links[advertiser]; realm != "" {
		return realm
	}
	for parent := w.advertisers.rows[advertiser].Parent; parent != ""; parent = w.advertisers.rows[parent].Parent {
		if links[parent] == rtb.RealmAgencyAdmin {
			return rtb.RealmAgencyAdmin
		}
	}
	return ""
}

// reachable are the codes of the advertisers that a user may reach, in order.
func (w *world) reachable(username string) []string {
	codes := []string{}
	for _, code := range w.advertisers.keys() {
		if w.realm(username, code) != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// newToken is opaque and of varying length: nobody may rely on one.
func newToken() string {
	raw := make([]byte, 96)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:32+int(raw[95])%64])
}

// hashToken is the token as it is kept: the data directory holds none that works.
func hashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func hashPassword(username, password string) string { return hashToken(username + "\n" + password) }
